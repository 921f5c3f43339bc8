# reads: opaque; functions of floats of many names
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.rsqrt(A[i]) + T.sigmoid(A[i]) + T.erf(A[i])
        B[i] = B[i] + T.atan2(A[i], B[i]) + T.log1p(A[i]) + T.exp2(A[i]) + T.exp10(A[i])
        B[i] = B[i] + T.log2(A[i]) + T.log10(A[i]) + T.trunc(A[i]) + T.nearbyint(A[i])
        B[i] = B[i] + T.sinh(A[i]) + T.cosh(A[i]) + T.asin(A[i]) + T.acosh(A[i]) + T.atanh(A[i])
