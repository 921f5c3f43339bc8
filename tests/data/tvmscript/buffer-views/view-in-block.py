# reads: yes; a view declared inside a block
from tvm.script import tir as T


@T.prim_func(s_tir=True)
def f(A: T.Buffer((8, 16), "float32"), B: T.Buffer((8, 16), "float32")):
    for i in range(8):
        with T.sblock("row"):
            vi = T.axis.spatial(8, i)
            T.reads(A[vi, 0:16])
            T.writes(B[vi, 0:16])
            src = T.decl_buffer((16,), "float32", data=A.data, elem_offset=vi * 16)
            for j in range(16):
                B[vi, j] = src[15 - j]
