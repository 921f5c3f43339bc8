# reads: opaque; break in a block whose loop is around it
from tvm.script import tir as T


@T.prim_func
def until_zero(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    for i in range(64):
        with T.block("copy"):
            vi = T.axis.spatial(64, i)
            T.reads(A[vi])
            T.writes(B[vi])
            if A[vi] == 0:
                break
            B[vi] = A[vi]
