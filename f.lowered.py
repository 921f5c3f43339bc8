@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32")):
    for j in range(4):
        D[j] = A[j] & 6
    for i in range(8):
        B[i] = A[i] ^ 3
        C[i] = B[i] & D[T.truncmod(i, 4)]
