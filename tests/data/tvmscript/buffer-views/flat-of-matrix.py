# reads: yes; a flat view of each parameter, as lowered programs have it
import tvm
from tvm.script import ir as I, tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        A_1 = T.Buffer((256,), data=A.data)
        B_1 = T.Buffer((256,), data=B.data)
        for i, j in T.grid(16, 16):
            B_1[i * 16 + j] = A_1[j * 16 + i]
