# reads: yes; scalars of float types and bool
import tvm
from tvm.script import tir as T


@T.prim_func(private=True)
def f(p: T.bool, x: T.float16, y: T.float32, z: T.float64, w: T.bfloat16, S: T.Buffer((5,), "float64")):
    S[0] = T.if_then_else(p, T.float64(1), T.float64(0))
    S[1] = T.Cast("float64", x)
    S[2] = T.Cast("float64", y)
    S[3] = z
    S[4] = T.Cast("float64", w)
