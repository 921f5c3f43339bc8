# 1-D convolution, 30 samples with a filter of 5, to be computed in rows of 8 outputs. The last row has 6 cells of padding; what is
# computed there is overwritten with zero afterwards.
@T.prim_func
def conv1d(X: T.Buffer((30,), "float32"), W: T.Buffer((5,), "float32"), Y: T.Buffer((26,), "float32")):
    for i, k in T.grid(26, 5):
        with T.block("conv"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                Y[vi] = T.float32(0.0)
            Y[vi] = Y[vi] + X[vi + vk] * W[vk]
