@T.prim_func
def product(A: T.Buffer((24, 20), "float32"), B: T.Buffer((20, 32), "float32"),
            C: T.Buffer((24, 32), "float32")):
    for i, j, k in T.grid(24, 32, 20):
        with T.block("product"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
