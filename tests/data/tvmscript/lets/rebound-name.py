# reads: yes; a name given again inside a loop and inside a branch, which changes it
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    t = A[0]
    for i in range(8):
        t = A[i] * T.float32(2)
        if i < 4:
            t = A[i] + T.float32(1)
            B[i] = t
        else:
            B[i] = t
    B[0] = t
