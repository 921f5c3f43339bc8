# reads: yes; constants that Python computes before they get a type
from tvm.script import tir as T

LEVELS = 2 ** 8
MIDDLE = (LEVELS - 1) // 2
SCALE = 1 / LEVELS

@T.prim_func
def quantize(A: T.Buffer((64,), "uint8"), B: T.Buffer((64,), "float32")):
    for i in range(LEVELS // 4):
        with T.block("quantize"):
            v = T.axis.spatial(8 * 8, i)
            B[v] = (T.Cast("float32", A[v]) - MIDDLE * 1.0) * SCALE if LEVELS > 2 else 0.0
