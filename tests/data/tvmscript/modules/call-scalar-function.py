# reads: opaque; a call of a function that returns a value
from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module(check_well_formed=False)
class Module:
    @T.prim_func(private=True)
    def plus(a: T.int32, b: T.int32) -> T.int32:
        T.ret(a + b)

    @T.prim_func
    def main(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
        for i in range(5):
            B[i] = Module.plus(A[i], i)
