# reads: yes; parameter types written as calls
from tvm.script import tir as T


@T.prim_func
def f(n: T.int32(), alpha: T.float32(), h: T.handle(), X: T.Buffer((64,), "float32")):
    for i in range(64):
        if i < n:
            X[i] = X[i] * alpha
        else:
            X[i] = T.float32(0)
    T.evaluate(n)
