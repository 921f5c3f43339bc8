# reads: opaque; the scopes of mma registers
import tvm
from tvm.script import tir as T


@T.prim_func(s_tir=True)
def f(A: T.Buffer((32, 8), "float16"), C: T.Buffer((32, 8), "float16")):
    A_r = T.alloc_buffer((32, 8), "float16", scope="m16n8k8.matrixA")
    C_r = T.alloc_buffer((32, 8), "float32", scope="m16n8k8.matrixC")
    for i, j in T.grid(32, 8):
        with T.sblock("A_r"):
            vi, vj = T.axis.remap("SS", [i, j])
            A_r[vi, vj] = A[vi, vj]
    for i, j in T.grid(32, 8):
        with T.sblock("C_r"):
            vi, vj = T.axis.remap("SS", [i, j])
            C_r[vi, vj] = T.Cast("float32", A_r[vi, vj]) * T.float32(2)
    for i, j in T.grid(32, 8):
        with T.sblock("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = T.Cast("float16", C_r[vi, vj])
