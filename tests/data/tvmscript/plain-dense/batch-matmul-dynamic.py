# reads: yes; sizes bound by match_buffer, int64
# from tvm.script import tir as T

@T.prim_func
def batch_matmul(var_A: T.handle, var_B: T.handle, var_C: T.handle):
    b, n, m, k = T.int64(), T.int64(), T.int64(), T.int64()
    A = T.match_buffer(var_A, (b, n, k), "float32")
    B = T.match_buffer(var_B, (b, k, m), "float32")
    C = T.match_buffer(var_C, (b, n, m), "float32")
    for bb, i, j, kk in T.grid(b, n, m, k):
        with T.block("C"):
            vb, vi, vj, vk = T.axis.remap("SSSR", [bb, i, j, kk])
            with T.init():
                C[vb, vi, vj] = T.float32(0)
            C[vb, vi, vj] = C[vb, vi, vj] + A[vb, vi, vk] * B[vb, vk, vj]
