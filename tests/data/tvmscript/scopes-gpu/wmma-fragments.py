# reads: opaque; wmma scopes of three fragments
import tvm
from tvm.script import tir as T


@T.prim_func
def mma(A: T.Buffer((16, 16), "float16"), B: T.Buffer((16, 16), "float16"), C: T.Buffer((16, 16), "float32")):
    A_f = T.alloc_buffer((16, 16), "float16", scope="wmma.matrix_a")
    B_f = T.alloc_buffer((16, 16), "float16", scope="wmma.matrix_b")
    C_f = T.alloc_buffer((16, 16), "float32", scope="wmma.accumulator")
    for i, j in T.grid(16, 16):
        with T.block("load"):
            vi, vj = T.axis.remap("SS", [i, j])
            A_f[vi, vj] = A[vi, vj]
            B_f[vi, vj] = B[vi, vj]
            C_f[vi, vj] = T.float32(0)
    for i, j, k in T.grid(16, 16, 16):
        with T.block("mma"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            C_f[vi, vj] = C_f[vi, vj] + T.Cast("float32", A_f[vi, vk]) * T.Cast("float32", B_f[vk, vj])
    for i, j in T.grid(16, 16):
        with T.block("store"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = C_f[vi, vj]
