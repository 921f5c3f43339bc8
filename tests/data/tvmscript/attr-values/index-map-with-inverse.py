# reads: yes; an index map with a given inverse and a separator of axes
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((24,), "float32"), B: T.Buffer((24,), "float32")):
    for i in range(24):
        with T.block("B"):
            vi = T.axis.spatial(24, i)
            T.reads(A[vi])
            T.writes(B[vi])
            T.block_attr({"map": T.index_map(lambda i: (i // 6, i % 6), inverse_index_map=lambda a, b: (a * 6 + b,))})
            B[vi] = A[vi]
