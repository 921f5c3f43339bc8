# reads: yes; calls of functions without a result, scalars only
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((20,), "float32"), n: T.int32):
    T.call_extern("void", "begin_region", n)
    for i in range(20):
        A[i] = A[i] + T.float32(1)
        T.evaluate(T.call_extern("void", "tick", i))
    T.call_extern("int32", "end_region", n, 20)
