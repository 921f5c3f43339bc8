# reads: yes; a function that returns early, called by another one
from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def fill(B: T.Buffer((16,), "int32"), n: T.int32):
        if n <= 0:
            return
        for i in range(16):
            if i == n:
                break
            B[i] = n

    @T.prim_func
    def main(B: T.Buffer((16,), "int32"), n: T.int32):
        cls = Module
        cls.fill(B, n)
        cls.fill(B, n // 2)
        B[15] = 0
