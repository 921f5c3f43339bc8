# reads: yes; a constant of the file in a quoted shape
from tvm.script import tirx as T

HEADS = 4
WIDTH = HEADS * 8

@T.prim_func
def shape_of_constant(A: T.Buffer(("n", "WIDTH"), "float32"), B: T.Buffer(("n * HEADS", 8), "float32")):
    n = T.int32()
    for i, h, k in T.grid(n, HEADS, 8):
        B[i * HEADS + h, k] = A[i, h * 8 + k]
