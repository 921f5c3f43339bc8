# reads: yes; T.reinterpret between integers of one width
from tvm.script import tirx as T

@T.prim_func
def reinterpret_integers(A: T.Buffer((32,), "int32"), B: T.Buffer((32,), "int32")):
    for i in range(32):
        h: T.let[T.uint32] = T.reinterpret("uint32", A[i]) * T.uint32(2654435761)
        B[i] = T.reinterpret("int32", T.shift_right(h, T.uint32(7)) ^ h)
