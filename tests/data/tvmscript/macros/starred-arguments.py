# reads: yes; tuples unpacked into calls, shapes as python tuples
from tvm.script import tir as T

shape = (6, 10)


@T.prim_func
def f(A: T.Buffer(shape, "float32"), B: T.Buffer((*shape, 2), "float32")):
    for i, j in T.grid(*shape):
        for k in range(2):
            B[i, j, k] = A[i, j]
