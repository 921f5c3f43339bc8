# reads: yes; a local tile written back by a second block
# from tvm.script import tir as T

@T.prim_func
def matmul_cw(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32"), C: T.Buffer((64, 64), "float32")):
    C_local = T.alloc_buffer((64, 64), scope="local")
    for i_0, j_0 in T.grid(8, 8):
        for k, i_1, j_1 in T.grid(64, 8, 8):
            with T.block("C"):
                vi = T.axis.spatial(64, i_0 * 8 + i_1)
                vj = T.axis.spatial(64, j_0 * 8 + j_1)
                vk = T.axis.reduce(64, k)
                with T.init():
                    C_local[vi, vj] = T.float32(0)
                C_local[vi, vj] = C_local[vi, vj] + A[vi, vk] * B[vk, vj]
        for ax0, ax1 in T.grid(8, 8):
            with T.block("C_local"):
                v0 = T.axis.spatial(64, i_0 * 8 + ax0)
                v1 = T.axis.spatial(64, j_0 * 8 + ax1)
                C[v0, v1] = C_local[v0, v1]
