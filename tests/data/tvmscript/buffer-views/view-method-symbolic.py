# reads: yes; A.view whose extents are expressions of int64
from tvm.script import tirx as T


@T.prim_func
def row_sums(a: T.handle, s: T.handle):
    n = T.int64()
    A = T.match_buffer(a, (n, T.int64(16)), "float32")
    S = T.match_buffer(s, (n,), "float32")
    flat = A.view(n * T.int64(16))
    for i in range(n):
        S[i] = T.float32(0)
        for j in range(T.int64(16)):
            S[i] = S[i] + flat[i * T.int64(16) + j]
