# reads: yes; a store of a slice from two slices
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32"), C: T.Buffer((128,), "float32")):
    for i in range(32):
        C[i * 4:i * 4 + 4] = A[i * 4:i * 4 + 4] + B[i * 4:i * 4 + 4]
    C[0:8] = T.Broadcast(T.float32(0), 8)
    C[120:128] = C[112:120] * C[0:8]
