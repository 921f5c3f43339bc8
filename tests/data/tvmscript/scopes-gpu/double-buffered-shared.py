# reads: yes; two halves of shared memory used in turn
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((8, 64), "float32"), B: T.Buffer((64,), "float32")):
    S = T.alloc_buffer((2, 64), "float32", scope="shared")
    acc = T.alloc_buffer((64,), "float32", scope="local")
    for tx in T.thread_binding(64, thread="threadIdx.x"):
        acc[tx] = T.float32(0)
        S[0, tx] = A[0, tx]
        for k in range(7):
            S[(k + 1) % 2, tx] = A[k + 1, tx]
            acc[tx] = acc[tx] + S[k % 2, tx]
        B[tx] = acc[tx] + S[1, tx]
