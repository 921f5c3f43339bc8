@T.prim_func
def shift(X: T.Buffer((14,), "float32"), Y: T.Buffer((16,), "float32")):
    for i in range(16):
        with T.block("shift"):
            vi = T.axis.spatial(16, i)
            if 1 <= vi and vi < 15:
                Y[vi] = X[vi - 1]
            else:
                Y[vi] = T.float32(0.0)
