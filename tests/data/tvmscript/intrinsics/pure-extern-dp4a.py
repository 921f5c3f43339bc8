# reads: opaque; pure calls and a dot product of bytes
from tvm.script import tir as T


@T.prim_func
def dp4a(A: T.Buffer((4,), "int8", scope="shared"), B: T.Buffer((4,), "int8", scope="shared"), C: T.Buffer((1,), "int32", scope="local")):
    with T.block("root"):
        T.reads(C[0], A[0:4], B[0:4])
        T.writes(C[0])
        C[0] += T.call_pure_extern("__dp4a", A.vload([0], "int8x4"), B.vload([0], "int8x4"), T.int32(0), dtype="int32")
        C[0] = C[0] + T.call_pure_extern("int32", "__vabs", C[0])
