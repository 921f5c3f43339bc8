# reads: yes; every third element from an offset
from tvm.script import tir as T


@T.prim_func
def strided(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n * 3 + 1,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    for i in range(n):
        with T.block("strided_slice"):
            vi = T.axis.spatial(n, i)
            B[vi] = A[vi * 3 + 1]
