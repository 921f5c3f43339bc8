# reads: yes; strides in quotes of annotated parameters
from tvm.script import tirx as T

@T.prim_func
def quoted_strides(A: T.Buffer(("m", 8), "float32", strides=("s", 1)), B: T.Buffer((8, "m"), "float32", strides=("t", 1))):
    m = T.int32()
    for i, j in T.grid(m, 8):
        B[j, i] = A[i, j]
