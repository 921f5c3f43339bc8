# reads: yes; exchanged strides instead of a transposition
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((6, 9), "int32"), B: T.Buffer((9, 6), "int32")):
    At = T.Buffer((9, 6), "int32", data=A.data, strides=[1, 9])
    for i, j in T.grid(9, 6):
        B[i, j] = At[i, j]
    Bt = T.Buffer((6, 9), "int32", data=B.data, strides=[1, 6])
    for i, j in T.grid(6, 9):
        Bt[i, j] = Bt[i, j] + A[i, j]
