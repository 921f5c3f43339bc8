# reads: yes; global information of a module, an empty dictionary
import tvm
from tvm.script import ir as I, tir as T


@I.ir_module
class Module:
    I.module_global_infos({"mesh": []})

    @T.prim_func(private=True)
    def divide(A: T.Buffer((9,), "float32"), d: T.Buffer((), "float32"), C: T.Buffer((9,), "float32")):
        for i in range(9):
            with T.block("T_divide"):
                vi = T.axis.spatial(9, i)
                C[vi] = A[vi] / d[()]
