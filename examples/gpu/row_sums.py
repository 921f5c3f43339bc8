@T.prim_func
def row_sums(A: T.Buffer((27, 12), "float32"), S: T.Buffer((27,), "float32")):
    for i, k in T.grid(27, 12):
        with T.block("sums"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + A[vi, vk]
