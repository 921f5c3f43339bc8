# reads: yes; an index map as a value of an attribute
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
    T.func_attr({"layout_map": T.index_map(lambda i, j: (i // 4, j // 4, i % 4, j % 4))})
    for i, j in T.grid(16, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.block_attr({"index_map": T.index_map(lambda i, j: (j, i))})
            B[vi, vj] = A[vi, vj]
