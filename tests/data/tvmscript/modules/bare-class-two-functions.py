# reads: yes; a class without a decorator, two functions
import tvm
from tvm.script import tir as T


class Before:
    @T.prim_func
    def first(A: T.Buffer((6,), "int32")):
        for i in range(6):
            A[i] = i * 2

    @T.prim_func
    def second(A: T.Buffer((6,), "int32"), B: T.Buffer((1,), "int32")):
        B[0] = 0
        for i in range(6):
            B[0] = B[0] + A[i]
