# reads: yes; @I.ir_module() and @T.prim_func()
from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module()
class M:
    @T.prim_func()
    def f(A: T.Buffer((12,), "uint8"), B: T.Buffer((12,), "uint8")):
        for i in T.parallel(12):
            B[i] = T.bitwise_xor(A[i], T.uint8(255))
