# reads: yes; default values of parameters
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((100,), "float32"), n: T.int32 = 50, scale: T.float32 = 0.5):
    for i in range(100):
        if i < n:
            A[i] = A[i] * scale
    for i in range(100):
        A[i] = A[i] + T.float32(1)
