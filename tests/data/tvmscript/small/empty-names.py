# reads: yes; empty names of blocks, and a block without a name
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "float32")):
    for i in range(9):
        with T.block(""):
            vi = T.axis.spatial(9, i)
            B[vi] = A[vi]
    for i in range(9):
        with T.block():
            vi = T.axis.spatial(9, i)
            B[vi] = B[vi] + T.float32(1)
    with T.block("", no_realize=False):
        B[0] = T.float32(0)
