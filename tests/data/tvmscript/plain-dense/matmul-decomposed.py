# reads: yes; init and update as two blocks
# from tvm.script import tir as T

@T.prim_func
def matmul_decomposed(A: T.Buffer((24, 36), "float64"), B: T.Buffer((36, 12), "float64"), C: T.Buffer((24, 12), "float64")):
    for i in range(24):
        for j_init in range(12):
            with T.block("C_init"):
                vi, vj = T.axis.remap("SS", [i, j_init])
                T.reads()
                T.writes(C[vi, vj])
                C[vi, vj] = T.float64(0)
        for k, j in T.grid(36, 12):
            with T.block("C_update"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(C[vi, vj], A[vi, vk], B[vk, vj])
                T.writes(C[vi, vj])
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
