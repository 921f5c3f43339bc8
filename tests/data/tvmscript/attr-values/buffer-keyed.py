# reads: yes; regions and elements as values
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((10, 10), "float32"), B: T.Buffer((10, 10), "float32")):
    for i, j in T.grid(10, 10):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(B[vi, vj])
            T.block_attr({"fragment": A[0, 0], "offsets": [vi * 10 + vj, 0]})
            B[vi, vj] = A[vi, vj]
