# reads: yes; T.LetStmt with var=, in its two forms
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((10,), "int32"), B: T.Buffer((10,), "int32")):
    x = T.int32()
    y = T.int32()
    for i in range(10):
        with T.LetStmt(A[i], var=x):
            B[i] = x + 1
    T.LetStmt(5, var=y)
    B[y] = y
