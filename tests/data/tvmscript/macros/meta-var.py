# reads: yes; values of python kept by T.meta_var
from tvm.script import tir as T


@T.macro
def stencil(dst, src, i):
    taps = T.meta_var([src[i + d] for d in range(3)])
    dst[i] = taps[0] + taps[1] * T.float32(2) + taps[2]


@T.prim_func
def f(A: T.Buffer((66,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        stencil(B, A, i)
