# reads: yes; python lists indexed, sliced and measured
from tvm.script import tir as T

EXTENTS = [2, 3, 4, 5]


@T.prim_func
def f(A: T.Buffer(EXTENTS[:2], "int32"), B: T.Buffer(EXTENTS[2:], "int32")):
    for i in range(EXTENTS[0]):
        for j in range(EXTENTS[1]):
            A[i, j] = len(EXTENTS) * i + j
    for i, j in T.grid(EXTENTS[-2], EXTENTS[-1]):
        B[i, j] = EXTENTS[3] + i - j
