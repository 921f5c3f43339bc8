# reads: opaque; isnan, isinf, isfinite, nextafter, copysign
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), N: T.Buffer((16,), "bool")):
    for i in range(16):
        N[i] = T.isnan(A[i]) or T.isinf(A[i]) or not T.isfinite(A[i])
        B[i] = T.copysign(T.nextafter(A[i], T.infinity("float32")), A[i])
        B[i] = T.ldexp(B[i], 2) + T.fmod(A[i], T.float32(3)) + T.hypot(A[i], B[i])
        if T.isnan(B[i]):
            B[i] = T.float32(0)
