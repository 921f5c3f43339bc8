# reads: yes; T.bind with a variable made before
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((30,), "int32")):
    n = T.int32()
    T.bind(7, var=n)
    for i in range(30):
        A[i] = i % n
    for i in range(30):
        k = T.bind(A[i] * 2)
        A[i] = k + 1
