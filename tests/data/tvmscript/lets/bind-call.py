# reads: yes; T.bind of a value
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((12, 5), "float32"), B: T.Buffer((12,), "float32")):
    for i in range(12):
        first = T.bind(A[i, 0])
        B[i] = first
        for k in range(1, 5):
            d = T.bind(A[i, k] - first)
            B[i] = B[i] + d * d
