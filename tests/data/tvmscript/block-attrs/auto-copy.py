# reads: yes; a copy left to a later pass, two annotations
from tvm.script import tir as T


@T.prim_func
def stage(A: T.Buffer((32, 32), "float16"), B: T.Buffer((32, 32), "float16")):
    A_shared = T.alloc_buffer((32, 32), "float16", scope="shared.dyn")
    with T.block("A_shared"):
        T.reads(A[0:32, 0:32])
        T.writes(A_shared[0:32, 0:32])
        T.block_attr({"auto_copy": 1, "vector_bytes": 16})
        for i, j in T.grid(32, 32):
            A_shared[i, j] = A[i, j]
    with T.block("B"):
        T.reads(A_shared[0:32, 0:32])
        T.writes(B[0:32, 0:32])
        for i, j in T.grid(32, 32):
            B[j, i] = A_shared[i, j]
