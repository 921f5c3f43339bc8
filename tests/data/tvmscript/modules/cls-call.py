# reads: yes; a sibling called through cls
from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module(s_tir=True)
class Module:
    @T.prim_func(private=True, s_tir=True)
    def fill(A: T.Buffer((4, 4), "float32"), v: T.float32):
        for i, j in T.grid(4, 4):
            with T.sblock("fill"):
                vi, vj = T.axis.remap("SS", [i, j])
                A[vi, vj] = v

    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
        cls = Module
        cls.fill(A, T.float32(1.5))
        cls.fill(B, T.float32(-0.5))
