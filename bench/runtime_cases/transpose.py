@T.prim_func
def transpose(X: T.Buffer((1000, 1001), "float32"), Y: T.Buffer((1001, 1000), "float32")):
    for i, j in T.grid(1001, 1000):
        with T.block("transpose"):
            vi, vj = T.axis.remap("SS", [i, j])
            Y[vi, vj] = X[vj, vi]
