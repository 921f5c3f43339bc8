@T.prim_func
def blur(A: T.Buffer((12,), "int32"), C: T.Buffer((10,), "int32")):
    B = T.alloc_buffer((12,), "int32")
    for i in range(12):
        with T.block("twice"):
            v = T.axis.spatial(12, i)
            B[v] = A[v] * 2
    for i in range(10):
        with T.block("sum"):
            v = T.axis.spatial(10, i)
            C[v] = B[v] + B[v + 2]
