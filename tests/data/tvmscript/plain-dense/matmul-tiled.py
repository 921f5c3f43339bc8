# reads: yes; a matrix product after split and reorder
from tvm.script import tir as T


@T.prim_func
def matmul(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (96, 64))
    B = T.match_buffer(b, (64, 80))
    C = T.match_buffer(c, (96, 80))
    for i0, j0, k0, i1, j1, k1 in T.grid(12, 10, 16, 8, 8, 4):
        with T.block("update"):
            vi = T.axis.spatial(96, i0 * 8 + i1)
            vj = T.axis.spatial(80, j0 * 8 + j1)
            vk = T.axis.reduce(64, k0 * 4 + k1)
            T.reads(A[vi, vk], B[vk, vj])
            T.writes(C[vi, vj])
            with T.init():
                C[vi, vj] = 0.0
            C[vi, vj] += A[vi, vk] * B[vk, vj]
