# reads: yes; a float constant stored to an integer cell
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int8"), C: T.Buffer((8,), "int64")):
    for i in range(8):
        A[i] = 1.0
        B[i] = -2.0
        C[i] = T.float32(3)
