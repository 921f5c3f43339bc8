@T.prim_func
def turned(A: T.Buffer((16, 24), "float32"), B: T.Buffer((24, 16), "float32")):
    for i, j in T.grid(24, 16):
        with T.block("turned"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vj, vi]
