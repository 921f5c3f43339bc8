# reads: yes; an empty dictionary of attributes
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "float32")):
    for i in range(9):
        with T.block("B"):
            vi = T.axis.spatial(9, i)
            T.reads(A[vi])
            T.writes(B[vi])
            T.block_attr({})
            B[vi] = T.abs(A[vi])
