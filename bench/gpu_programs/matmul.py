@T.prim_func
def matmul(A: T.Buffer((2047, 2048), "float32"), B: T.Buffer((2048, 2047), "float32"), C: T.Buffer((2047, 2047), "float32")):
    for i, j in T.grid(2047, 2047):
        with T.block("init"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = T.float32(0)
    for p, q, k in T.grid(2047, 2047, 2048):
        with T.block("update"):
            vp, vq, vk = T.axis.remap("SSR", [p, q, k])
            C[vp, vq] = C[vp, vq] + A[vp, vk] * B[vk, vq]
