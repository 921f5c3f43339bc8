# reads: yes; a contraction with five loops
# from tvm.script import tir as T

@T.prim_func
def einsum(A: T.Buffer((3, 5, 7), "float32"), B: T.Buffer((3, 7, 9), "float32"), w: T.Buffer((9,), "float32"), C: T.Buffer((3, 5), "float32")):
    for b, i, j, k in T.grid(3, 5, 9, 7):
        with T.block("C"):
            vb = T.axis.S(3, b)
            vi = T.axis.S(5, i)
            vj = T.axis.R(9, j)
            vk = T.axis.R(7, k)
            with T.init():
                C[vb, vi] = T.float32(0)
            C[vb, vi] = C[vb, vi] + A[vb, vi, vk] * B[vb, vk, vj] * w[vj]
