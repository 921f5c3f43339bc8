# reads: yes; a macro that sees names where it is used
from tvm.script import tir as T


@T.macro(hygienic=False)
def clear_row(i):
    for j in range(8):
        A[i, j] = T.float32(0)


@T.prim_func
def f(A: T.Buffer((8, 8), "float32")):
    for i in range(8):
        if i % 2 == 0:
            clear_row(i)
