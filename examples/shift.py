@T.prim_func
def shift(X: T.Buffer((14,), "float32"), Y: T.Buffer((16,), "float32")):
    for i in range(16):
        with T.block("shift"):
            vi = T.axis.spatial(16, i)
            Y[vi] = T.if_then_else(1 <= vi and vi < 15, X[vi - 1], T.float32(0.0))
