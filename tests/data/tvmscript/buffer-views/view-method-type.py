# reads: opaque; A.view of the same bytes as another type
from tvm.script import tirx as T


@T.prim_func
def sign_bits(A: T.Buffer((32,), "float32"), B: T.Buffer((32,), "int32")):
    bits = A.view("uint32")
    for i in range(32):
        B[i] = T.Cast("int32", bits[i] >> T.uint32(31))
