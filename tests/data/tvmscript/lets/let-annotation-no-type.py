# reads: yes; x: T.let = … without a type, and a float
import tvm
from tvm.script import tir as T


@T.prim_func(s_tir=True)
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in T.serial(16):
        v: T.let = A[i]
        w: T.let[T.float32] = v * v
        B[i] = w * v + w
