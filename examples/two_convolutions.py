# Two convolutions over the three latest samples: the second one takes what the first leaves. Samples before the first one count as zero.
@T.prim_func
def two_convolutions(X: T.Buffer((12,), "float32"), F: T.Buffer((3,), "float32"), G: T.Buffer((3,), "float32"), Z: T.Buffer((12,), "float32")):
    T.func_attr({"proviso.licences": ["finite(F)", "finite(G)"]})
    Y = T.alloc_buffer((12,), "float32")
    for i, k in T.grid(12, 3):
        with T.block("first"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                Y[vi] = T.float32(0.0)
            if 2 <= vi + vk:
                Y[vi] = Y[vi] + X[vi + vk - 2] * F[vk]
    for j, l in T.grid(12, 3):
        with T.block("second"):
            vj, vl = T.axis.remap("SR", [j, l])
            with T.init():
                Z[vj] = T.float32(0.0)
            if 2 <= vj + vl:
                Z[vj] = Z[vj] + Y[vj + vl - 2] * G[vl]
