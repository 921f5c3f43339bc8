# reads: opaque; while True left by break
from tvm.script import tir as T


@T.prim_func
def first_negative(A: T.Buffer((50,), "int32"), out: T.Buffer((1,), "int32")):
    out[0] = 0
    while T.bool(True):
        if out[0] == 50:
            break
        if A[out[0]] < 0:
            break
        out[0] = out[0] + 1
