@T.prim_func
def layer_norm(X: T.Buffer((64, LENGTH), "float32"), Y: T.Buffer((64, LENGTH), "float32")):
    T.func_attr({"proviso.licences": ["reassociate", "contract"]})
    sums = T.alloc_buffer((64,), "float32")
    squares = T.alloc_buffer((64,), "float32")
    for i, j in T.grid(64, LENGTH):
        with T.block("sums"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                sums[vi] = T.float32(0.0)
            sums[vi] = sums[vi] + X[vi, vj]
    for i, j in T.grid(64, LENGTH):
        with T.block("squares"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                squares[vi] = T.float32(0.0)
            squares[vi] = squares[vi] + (X[vi, vj] - sums[vi] / T.float32(LENGTH)) * (X[vi, vj] - sums[vi] / T.float32(LENGTH))
    for i, j in T.grid(64, LENGTH):
        with T.block("norm"):
            vi, vj = T.axis.remap("SS", [i, j])
            Y[vi, vj] = (X[vi, vj] - sums[vi] / T.float32(LENGTH)) * (T.float32(1.0) / T.sqrt(squares[vi] / T.float32(LENGTH) + T.float32(1e-5)))
