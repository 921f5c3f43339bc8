# reads: yes; two buffers matched on one handle's data
from tvm.script import tir as T


@T.prim_func
def f(a: T.handle, n: T.int32):
    A = T.match_buffer(a, (n, 4), "float32", align=16)
    flat = T.Buffer((n * 4,), data=A.data, align=16)
    for i in range(n * 4):
        flat[i] = flat[i] * T.float32(2)
    for i, j in T.grid(n, 4):
        A[i, j] = A[i, j] + T.float32(1)
