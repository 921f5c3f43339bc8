# reads: yes; a step of int64 on a parallel loop
# from tvm.script import tir as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer((T.int64(1000),), "float32"), B: T.Buffer((T.int64(1000),), "float32")):
    for i in T.parallel(T.int64(0), T.int64(1000), step=T.int64(100)):
        for j in T.serial(T.int64(100)):
            B[i + j] = A[i + j] * A[i + j]
    for i in T.unroll(T.int64(0), T.int64(10), step=T.int64(3)):
        B[i] = T.float32(0)
