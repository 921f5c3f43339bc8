# reads: yes; views whose elements are vectors, of buffers of scalars and of vectors
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((64,), "int8"), B: T.Buffer((4,), "int8x16"), C: T.Buffer((4, 16), "int8")):
    A_1 = T.Buffer((4,), "int8x16", data=A.data)
    B_1 = T.Buffer((64,), "int8", data=B.data)
    acc = T.alloc_buffer((1,), "int8x16", scope="local")
    for i in range(4):
        with T.block("row"):
            vi = T.axis.spatial(4, i)
            T.reads(A_1[vi], B[vi])
            T.writes(C[vi, 0:16])
            acc[0] = A_1[vi] + B[vi]
            C[vi, 0:16] = acc[0] * T.broadcast(T.int8(3), 16)
    B_1[0] = B_1[63]
