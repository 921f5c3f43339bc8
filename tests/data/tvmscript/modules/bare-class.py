# reads: yes; a class without a decorator, the file's only class
import tvm
from tvm.script import tir as T


class Module:
    @T.prim_func(private=True, s_tir=True)
    def add1(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
        for i, j in T.grid(16, 16):
            with T.sblock("T_add"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] + T.float32(1)
