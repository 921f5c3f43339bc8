# reads: yes; three arguments of range
from tvm.script import tir as T


@T.prim_func
def even(A: T.Buffer((50,), "float32")):
    for i in range(0, 50, 2):
        A[i] = T.float32(0)
    for i in range(1, 50, 2):
        A[i] = T.float32(1)
    for i in range(0, 50, 3):
        A[i] = A[i] + T.float32(1)
