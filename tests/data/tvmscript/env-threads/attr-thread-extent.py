# reads: yes; thread extents as attribute statements
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    bx = T.env_thread("blockIdx.x")
    tx = T.env_thread("threadIdx.x")
    T.attr(bx, "thread_extent", 2)
    T.attr(tx, "thread_extent", 32)
    B[bx * 32 + tx] = A[bx * 32 + tx]
