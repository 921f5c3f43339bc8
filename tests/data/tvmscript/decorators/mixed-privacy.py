# reads: yes; a private and a public function in a module
import tvm
from tvm.script import ir as I, tir as T


@I.ir_module(s_tir=True)
class Module:
    @T.prim_func(private=True, s_tir=True)
    def exp(x: T.Buffer((3, 3), "float32"), y: T.Buffer((3, 3), "float32")):
        for i, j in T.grid(3, 3):
            with T.sblock("exp"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = T.exp(x[vi, vj])

    @T.prim_func(s_tir=True)
    def log(x: T.Buffer((3, 3), "float32"), y: T.Buffer((3, 3), "float32")):
        for i, j in T.grid(3, 3):
            with T.sblock("log"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = T.log(x[vi, vj])
