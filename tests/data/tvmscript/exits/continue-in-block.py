# reads: yes; continue as the last thing that a block does
from tvm.script import tir as T


@T.prim_func
def relu(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32")):
    for i, j in T.grid(8, 8):
        with T.block("relu"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(B[vi, vj])
            B[vi, vj] = T.float32(0)
            if A[vi, vj] < T.float32(0):
                continue
            B[vi, vj] = A[vi, vj]
