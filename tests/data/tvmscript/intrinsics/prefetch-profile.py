# reads: opaque; calls that say something to the machine only
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((256,), "float32"), B: T.Buffer((256,), "float32")):
    T.start_profile_intrinsic(5)
    for i in range(16):
        T.prefetch(T.address_of(A[i * 16]), 0, 3, 1)
        for j in T.vectorized(16):
            B[i * 16 + j] = A[i * 16 + j]
    T.end_profile_intrinsic(5)
    T.evaluate(T.assume(B[0] == A[0]))
