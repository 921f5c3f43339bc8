@T.prim_func
def walk(A: T.Buffer((5, 5), "float32"), B: T.Buffer((25,), "float32"), n: T.int32):
    for p in range(n * n):
        B[p] = A[p % n, p // n]
