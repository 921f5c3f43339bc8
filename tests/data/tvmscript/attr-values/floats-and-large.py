# reads: yes; floats, negative and large integers
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((2,), "float64")):
    T.func_attr({"eps": 1e-05, "inf": T.float32("inf"), "big": 9223372036854775807, "neg": -42, "half": T.float16(0.5), "hex": 0xFF})
    for i in range(2):
        A[i] = T.float64(0)
    for i in T.serial(2, annotations={"scale": 2.5e-3, "limit": -1e30}):
        A[i] = A[i] + T.float64(1)
