@T.prim_func
def reverse(A: T.Buffer((24,), "float32"), B: T.Buffer((24,), "float32")):
    for b in T.thread_binding(3, thread="blockIdx.x"):
        tile = T.alloc_buffer((8,), "float32", scope="shared")
        for t in T.thread_binding(8, thread="threadIdx.x"):
            tile[t] = A[b * 8 + t]
        for u in T.thread_binding(8, thread="threadIdx.x"):
            B[b * 8 + u] = tile[7 - u]
