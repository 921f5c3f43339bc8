# reads: yes; an unrolled loop with a lower bound and annotations
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((4, 10), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = A[i, 0]
        for k in T.unroll(1, 10, annotations={"pragma_unroll_explicit": T.bool(False)}):
            B[i] = T.max(B[i], A[i, k])
    for i in T.unroll(4, annotations={"unroll_explicit": "yes"}):
        B[i] = B[i] + T.float32(1)
