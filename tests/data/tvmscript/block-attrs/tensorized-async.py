# reads: yes; an asynchronous copy in a pipeline
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    for tx in T.thread_binding(16, thread="threadIdx.x"):
        for i in T.serial(16, annotations={"software_pipeline_stage": [0, 1], "software_pipeline_order": [0, 1], "software_pipeline_async_stages": [0]}):
            with T.block("compute"):
                T.reads(A[tx, i])
                T.writes(C[tx, i])
                B = T.alloc_buffer((16, 1), dtype="float32", scope="shared")
                with T.block("copy"):
                    T.reads(A[tx, i])
                    T.writes(B[tx, 0])
                    T.block_attr({"async_scope": 1})
                    B[tx, 0] = A[tx, i] * T.float32(2)
                with T.block("use"):
                    T.reads(B[tx, 0])
                    T.writes(C[tx, i])
                    C[tx, i] = B[tx, 0] + T.float32(1)
