@T.prim_func
def softmax(X: T.Buffer((64, LENGTH), "float32"), Y: T.Buffer((64, LENGTH), "float32")):
    most = T.alloc_buffer((64,), "float32")
    total = T.alloc_buffer((64,), "float32")
    powers = T.alloc_buffer((64, LENGTH), "float32")
    for i, j in T.grid(64, LENGTH):
        with T.block("most"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                most[vi] = T.min_value("float32")
            most[vi] = T.max(most[vi], X[vi, vj])
    for i, j in T.grid(64, LENGTH):
        with T.block("powers"):
            vi, vj = T.axis.remap("SS", [i, j])
            powers[vi, vj] = T.exp(X[vi, vj] - most[vi])
    for i, j in T.grid(64, LENGTH):
        with T.block("total"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                total[vi] = T.float32(0.0)
            total[vi] = total[vi] + powers[vi, vj]
    for i, j in T.grid(64, LENGTH):
        with T.block("shares"):
            vi, vj = T.axis.remap("SS", [i, j])
            Y[vi, vj] = powers[vi, vj] / total[vi]
