# reads: yes; sizes of int64 by TypeVar outside of the module
# from typing import TypeVar
# from tvm.script import ir as I
# from tvm.script import tirx as T

n = TypeVar("n")
m = TypeVar("m")
@I.ir_module
class Module:
    @T.prim_func
    def scale(A: T.Buffer((n, m), "float32"), s: T.Buffer((n,), "float32")):
        for i, j in T.grid(n, m):
            A[i, j] = A[i, j] * s[i]

    @T.prim_func
    def flatten(A: T.Buffer((n, m), "float32"), B: T.Buffer(("n * m",), "float32")):
        A_1 = A.view(n * m)
        for i in range(n * m):
            B[i] = A_1[i]
