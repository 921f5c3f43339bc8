# reads: yes; a keyword that says the default
from tvm.script import tir as T


@T.prim_func(private=False)
def half(x: T.Buffer((8, 8), "float64"), y: T.Buffer((8, 8), "float64")):
    for i, j in T.grid(8, 8):
        with T.block(""):
            vi, vj = T.axis.remap("SS", [i, j])
            y[vi, vj] = x[vi, vj] / T.float64(2)
    for i in range(8):
        y[i, i] = T.float64(1)
