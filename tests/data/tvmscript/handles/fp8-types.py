# reads: opaque; types of eight bits and fewer
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((32,), "float8_e4m3fn"), B: T.Buffer((32,), "float8_e5m2"), C: T.Buffer((32,), "float16"), D: T.Buffer((32,), "int4"), E: T.Buffer((32,), "float4_e2m1fn")):
    for i in range(32):
        with T.block("C"):
            vi = T.axis.spatial(32, i)
            C[vi] = T.Cast("float16", A[vi]) + T.Cast("float16", B[vi]) + T.Cast("float16", D[vi]) + T.Cast("float16", E[vi])
    for i in range(32):
        A[i] = T.Cast("float8_e4m3fn", C[i])
