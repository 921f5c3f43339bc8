# reads: yes; T.iter_var in an attribute statement
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((128,), "int32")):
    tx = T.int32()
    T.attr(T.iter_var(tx, None, "ThreadIndex", "threadIdx.x"), "thread_extent", 128)
    vt = T.int32()
    with T.attr(T.iter_var(vt, T.Range(0, 1), "ThreadIndex", "vthread"), "virtual_thread", 1):
        A[tx + vt] = A[tx + vt] * 3
