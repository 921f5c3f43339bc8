# reads: yes; flags as True on a block of a GPU program
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((8, 64), "float32"), B: T.Buffer((8, 64), "float32")):
    for bx in T.thread_binding(8, thread="blockIdx.x"):
        with T.block("outer"):
            vb = T.axis.spatial(8, bx)
            A_shared = T.alloc_buffer((64,), scope="shared")
            for tx in T.thread_binding(64, thread="threadIdx.x"):
                with T.block("A_shared"):
                    vt = T.axis.spatial(64, tx)
                    T.reads(A[vb, vt])
                    T.writes(A_shared[vt])
                    T.block_attr({"tir.manifest_shared_memory_local_stage": True})
                    A_shared[vt] = A[vb, vt]
            for tx in T.thread_binding(64, thread="threadIdx.x"):
                with T.block("B"):
                    vt = T.axis.spatial(64, tx)
                    B[vb, vt] = A_shared[63 - vt]
