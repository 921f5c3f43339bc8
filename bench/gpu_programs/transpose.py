@T.prim_func
def transpose(A: T.Buffer((8191, 8190), "float32"), B: T.Buffer((8190, 8191), "float32")):
    for i, j in T.grid(8190, 8191):
        with T.block("transpose"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vj, vi]
