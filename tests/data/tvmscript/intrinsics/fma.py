# reads: opaque; a fused multiply-add and a remainder of integers
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((50,), "float32"), B: T.Buffer((50,), "float32"), C: T.Buffer((50,), "float32")):
    for i in T.parallel(50):
        with T.block("C"):
            vi = T.axis.spatial(50, i)
            C[vi] = T.fma(A[vi], B[vi], C[vi])
    for i in range(50):
        C[i] = T.fma(C[i], T.float32(0.5), T.float32(1))
