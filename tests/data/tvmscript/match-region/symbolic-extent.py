# reads: yes; a region as long as an index
import tvm
from tvm.script import tir as T


@T.prim_func
def f(a: T.handle, s: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 16), "float32")
    S = T.match_buffer(s, (n,), "float32")
    for i in range(n):
        with T.block("row"):
            vi = T.axis.spatial(n, i)
            T.reads(A[vi, 0:16])
            T.writes(S[vi])
            stride = T.int32()
            row = T.match_buffer(A[vi:vi + 1, 0:16], (1, 16), "float32", strides=[stride, 1], offset_factor=1)
            S[vi] = T.float32(0)
            for k in range(16):
                S[vi] = S[vi] + row[0, k]
