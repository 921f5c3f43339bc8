# reads: opaque; bits of a float as an integer, and back
from tvm.script import tir as T


@T.prim_func
def bits(A: T.Buffer((32,), "float32"), B: T.Buffer((32,), "float32")):
    for i in range(32):
        with T.block("B"):
            vi = T.axis.spatial(32, i)
            u: T.let[T.uint32] = T.reinterpret("uint32", A[vi])
            B[vi] = T.reinterpret("float32", T.bitwise_and(u, T.uint32(2147483647)))
