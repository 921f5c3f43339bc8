# reads: yes; a tile that does not divide, T.where
import tvm
from tvm.script import tir as T


@T.prim_func
def matmul_where(A: T.Buffer((50, 30), "float32"), B: T.Buffer((30, 70), "float32"), C: T.Buffer((50, 70), "float32")):
    for i0, j0, i1, j1, k in T.grid(4, 5, 16, 16, 30):
        with T.block("C"):
            T.where(i0 * 16 + i1 < 50 and j0 * 16 + j1 < 70)
            vi = T.axis.spatial(50, i0 * 16 + i1)
            vj = T.axis.spatial(70, j0 * 16 + j1)
            vk = T.axis.reduce(30, k)
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
