@T.prim_func
def twice(A: T.Buffer((n,), "float32"), B: T.Buffer((n,), "float32"), n: T.int32):
    for i in range(n):
        B[i] = A[i] * T.float32(2)
