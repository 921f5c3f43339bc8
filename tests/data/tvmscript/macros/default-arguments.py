# reads: yes; a macro with default values of arguments
from tvm.script import tir as T


@T.macro
def scale(buf, n, factor=2, offset=0):
    for i in range(n):
        buf[i] = buf[i] * factor + offset


@T.prim_func
def f(A: T.Buffer((30,), "int32"), B: T.Buffer((10,), "int32")):
    scale(A, 30)
    scale(B, 10, factor=3)
    scale(B, 10, 1, offset=7)
