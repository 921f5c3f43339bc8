# reads: yes; sizes of int64 as type parameters of a function
from tvm.script import tirx as T


@T.prim_func
def outer[rows, cols](x: T.Buffer((rows,), "float32"), y: T.Buffer((cols,), "float32"), P: T.Buffer((rows, cols), "float32")):
    for i, j in T.grid(rows, cols):
        P[i, j] = x[i] * y[j]
