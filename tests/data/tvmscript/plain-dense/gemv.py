# reads: yes; a matrix times a vector, without blocks
from tvm.script import tir as T


@T.prim_func
def gemv(A: T.Buffer((300, 70), "float32"), x: T.Buffer((70,), "float32"), y: T.Buffer((300,), "float32")):
    for i in T.parallel(300):
        y[i] = T.float32(0)
        for k in range(70):
            y[i] = y[i] + A[i, k] * x[k]
    for i in range(300):
        y[i] = y[i] * T.float32(0.5)
