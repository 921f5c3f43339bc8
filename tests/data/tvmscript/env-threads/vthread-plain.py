# reads: yes; vthread without a dimension
from tvm.script import tir as T


@T.prim_func(s_tir=True)
def f(A: T.Buffer((12,), "int32"), B: T.Buffer((12,), "int32")):
    for v in T.thread_binding(3, thread="vthread"):
        for i in range(4):
            with T.sblock("B"):
                vi = T.axis.spatial(12, v * 4 + i)
                B[vi] = A[vi] - 1
