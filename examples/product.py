@T.prim_func
def product(A: T.Buffer((24, 16), "float32"), B: T.Buffer((16, 32), "float32"), C: T.Buffer((24, 32), "float32")):
    for i, j, k in T.grid(24, 32, 16):
        with T.block("product"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0.0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
