# reads: yes; a vector of indices loaded from a buffer
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((256,), "float32"), idx: T.Buffer((64,), "int32"), B: T.Buffer((64,), "float32")):
    for i in range(16):
        B[i * 4:i * 4 + 4] = A[idx[i * 4:i * 4 + 4]]
    for i in range(16):
        A[idx[i * 4:i * 4 + 4]] = B[i * 4:i * 4 + 4]
