# reads: yes; the structure of a multi-level tiling
from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
    for i, j in T.grid(32, 32):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(B[vi, vj])
            T.block_attr({"meta_schedule.tiling_structure": "SSSRRSRS"})
            B[vi, vj] = T.exp(A[vi, vj])
