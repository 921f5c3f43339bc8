# reads: yes; annotations of a parallel loop
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((1024,), "float32"), B: T.Buffer((1024,), "float32")):
    for i_j_fused in T.parallel(32, annotations={"pragma_auto_unroll_max_step": 64, "pragma_unroll_explicit": True}):
        for k in T.vectorized(32):
            with T.block("B"):
                v = T.axis.spatial(1024, i_j_fused * 32 + k)
                T.reads(A[v])
                T.writes(B[v])
                B[v] = A[v] + T.float32(1)
