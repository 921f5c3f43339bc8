# reads: yes; integers stored to float cells
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float16"), C: T.Buffer((8,), "float64")):
    for i in range(8):
        A[i] = 0
        B[i] = 1
        C[i] = i
    for i in range(8):
        A[i] = A[i] + 2
        B[i] = B[i] * 3
        C[i] = T.max(C[i], 4)
