# reads: yes; T.isinf, T.isfinite, T.isnan
from tvm.script import tirx as T

@T.prim_func
def infinite_values(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), bad: T.Buffer((1,), "int32")):
    bad[0] = 0
    for i in range(64):
        if not T.isfinite(A[i]):
            bad[0] = bad[0] + 1
        B[i] = T.if_then_else(T.isinf(A[i]), T.float32(0), T.if_then_else(T.isnan(A[i]), T.float32(-1), A[i]))
