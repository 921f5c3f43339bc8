# reads: yes; a macro used in two places
from tvm.script import tir as T


@T.macro
def add_into(dst, src, i):
    dst[i] = dst[i] + src[i]


@T.prim_func
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        add_into(A, B, i)
    for j in range(16):
        add_into(B, A, j)
