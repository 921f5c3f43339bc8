@T.prim_func
def two_stages(A: T.Buffer((24, 16), "float32"), C: T.Buffer((24, 16), "float32")):
    B = T.alloc_buffer((24, 16), "float32")
    for i, j in T.grid(24, 16):
        with T.block("twice"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(24, 16):
        with T.block("shifted"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + T.float32(1)
