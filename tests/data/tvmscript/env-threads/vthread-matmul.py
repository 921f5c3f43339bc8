# reads: yes; two virtual threads around a tile of a product
# from tvm.script import tir as T

@T.prim_func
def mm(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32"), C: T.Buffer((64, 64), "float32")):
    for by in T.thread_binding(4, thread="blockIdx.y"):
        for bx in T.thread_binding(4, thread="blockIdx.x"):
            for vy in T.thread_binding(2, thread="vthread.y"):
                for vx in T.thread_binding(2, thread="vthread.x"):
                    for ty in T.thread_binding(8, thread="threadIdx.y"):
                        for tx in T.thread_binding(8, thread="threadIdx.x"):
                            for k in range(64):
                                with T.block("C"):
                                    vi = T.axis.spatial(64, by * 16 + vy * 8 + ty)
                                    vj = T.axis.spatial(64, bx * 16 + vx * 8 + tx)
                                    vk = T.axis.reduce(64, k)
                                    with T.init():
                                        C[vi, vj] = T.float32(0)
                                    C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
