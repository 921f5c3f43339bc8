# reads: yes; @I.ir_module(check_well_formed=False)
import tvm
from tvm.script import ir as I, tir as T


@I.ir_module(check_well_formed=False)
class Before:
    @T.prim_func
    def main(A: T.Buffer((15,), "int32"), B: T.Buffer((15,), "int32")):
        for i in range(15):
            with T.block("shift"):
                vi = T.axis.spatial(15, i)
                B[vi] = T.if_then_else(vi == 0, 0, A[vi - 1])
