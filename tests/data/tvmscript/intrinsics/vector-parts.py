# reads: opaque; parts of vectors put together
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((16,), "int8"), B: T.Buffer((8,), "int8")):
    v: T.let = A.vload([0], "int8x16")
    lo: T.let = T.vectorlow("int8x8", v)
    hi: T.let = T.vectorhigh("int8x8", v)
    B.vstore([0], lo + hi)
    w: T.let = T.vectorcombine("int8x16", lo, hi)
    A.vstore([0], T.Shuffle([w], [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]))
