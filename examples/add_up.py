@T.prim_func
def add_up(A: T.Buffer((6, 8), "float32"), C: T.Buffer((6,), "float32")):
    for i, k in T.grid(6, 8):
        with T.block("add"):
            vi, vk = T.axis.remap("SR", [i, k])
            C[vi] = C[vi] + A[vi, vk]
