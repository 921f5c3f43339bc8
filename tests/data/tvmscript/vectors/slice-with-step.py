# reads: yes; slices with a step
from tvm.script import tir as T


@T.prim_func(s_tir=True)
def f(A: T.Buffer((40,), "float32"), B: T.Buffer((20,), "float32")):
    for i in range(5):
        B[i * 4:i * 4 + 4] = A[i * 8:i * 8 + 8:2]
    B[0:20] = B[0:20] * T.broadcast(T.float32(2), 20)
    B[0:20:2] = A[0:40:4]
    B[19] = A[39]
