@T.prim_func
def blur(A: T.Buffer((102,), "float32"), B: T.Buffer((100,), "float32")):
    for i in range(100):
        with T.block("blur"):
            v = T.axis.spatial(100, i)
            B[v] = A[v] * T.float32(0.25) + A[v + 1] * T.float32(0.5) + A[v + 2] * T.float32(0.25)
