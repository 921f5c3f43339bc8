# reads: yes; the form with a body
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((12,), "float32"), B: T.Buffer((12,), "float32")):
    with T.decl_buffer((3, 4), "float32", data=A.data) as Am:
        with T.decl_buffer((4, 3), "float32", data=B.data) as Bm:
            for i, j in T.grid(3, 4):
                Bm[j, i] = Am[i, j]
    B[0] = T.float32(0)
