# reads: yes; a macro that uses another one
from tvm.script import tir as T


@T.macro
def swap(X, i, j):
    t: T.int32 = X[i]
    X[i] = X[j]
    X[j] = t


@T.macro
def order(X, i, j):
    if X[j] < X[i]:
        swap(X, i, j)


@T.prim_func
def sort4(A: T.Buffer((4,), "int32")):
    order(A, 0, 1)
    order(A, 2, 3)
    order(A, 0, 2)
    order(A, 1, 3)
    order(A, 1, 2)
