@T.prim_func
def frame(X: T.Buffer((8,), "float32"), P: T.Buffer((11,), "float32")):
    for i in range(11):
        with T.block("P"):
            vi = T.axis.spatial(11, i)
            P[vi] = T.if_then_else(2 <= vi and vi < 10, X[vi - 2], T.float32(0.0))
