# reads: yes; stages and an order of a pipeline
import tvm
from tvm.script import tir as T


@T.prim_func
def pipe(A: T.Buffer((16, 64), "float32"), C: T.Buffer((16, 64), "float32")):
    for tx in T.thread_binding(0, 16, thread="threadIdx.x"):
        for i in T.serial(0, 64, annotations={"software_pipeline_stage": [0, 0, 2], "software_pipeline_order": [0, 1, 2]}):
            with T.block("body"):
                T.reads(A[tx, i])
                T.writes(C[tx, i])
                B = T.alloc_buffer((16, 1), dtype="float32", scope="shared")
                D = T.alloc_buffer((16, 1), dtype="float32", scope="local")
                with T.block("load"):
                    B[tx, 0] = A[tx, i]
                with T.block("mul"):
                    D[tx, 0] = B[tx, 0] * T.float32(2)
                with T.block("store"):
                    C[tx, i] = D[tx, 0] + T.float32(1)
