# reads: yes; T.alloc_local, T.alloc_shared, and a local buffer by its annotation
# from tvm.script import tirx as T

@T.prim_func
def block_sums(A: T.Buffer((8, 64), "float32"), B: T.Buffer((8, 2), "float32")):
    for bx in T.thread_binding(8, thread="blockIdx.x"):
        rows = T.alloc_shared((64,))
        for tx in T.thread_binding(64, thread="threadIdx.x"):
            part = T.alloc_local((2,), "float32")
            part[0] = A[bx, tx]
            part[1] = part[0] * part[0]
            rows[tx] = part[0] + part[1]
        for tx in T.thread_binding(2, thread="threadIdx.x"):
            acc: T.float32[2, 1]
            acc[0, 0] = T.float32(0.0)
            for k in range(32):
                acc[0, 0] = acc[0, 0] + rows[tx * 32 + k]
            B[bx, tx] = acc[0, 0]
