# reads: yes; int32 and int64 in one expression
from tvm.script import tir as T


@T.prim_func
def f(a: T.handle, n: T.int64, m: T.int32):
    A = T.match_buffer(a, (n * m,), "int64")
    for i in range(n):
        for j in range(m):
            A[i * m + j] = i + j
    for i in range(m):
        A[i] = A[i] + T.int64(1) + n * i
