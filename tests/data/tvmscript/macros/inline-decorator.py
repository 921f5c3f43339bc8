# reads: yes; @T.inline, a macro of the newer dialect
from tvm.script import tir as T


@T.prim_func(s_tir=True)
def f(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    @T.inline
    def body(i):
        B[i] = A[i] * T.float32(3)

    for i in T.serial(0, 64, step=2):
        body(i)
        body(i + 1)
