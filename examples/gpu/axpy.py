@T.prim_func
def axpy(S: T.Buffer((1,), "float32"), X: T.Buffer((256,), "float32"), Y: T.Buffer((256,), "float32")):
    for i in range(256):
        with T.block("axpy"):
            vi = T.axis.spatial(256, i)
            Y[vi] = Y[vi] + S[0] * X[vi]
