# reads: yes; a view of a view
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((32, 32), "int32")):
    for i in range(2):
        with T.block("outer"):
            vi = T.axis.spatial(2, i)
            T.reads(A[vi * 16:vi * 16 + 16, 0:32])
            T.writes(A[vi * 16:vi * 16 + 16, 0:32])
            half = T.match_buffer(A[vi * 16:vi * 16 + 16, 0:32], (16, 32), "int32", offset_factor=1)
            for j in range(4):
                with T.block("inner"):
                    vj = T.axis.spatial(4, j)
                    T.reads(half[0:16, vj * 8:vj * 8 + 8])
                    T.writes(half[0:16, vj * 8:vj * 8 + 8])
                    tile = T.match_buffer(half[0:16, vj * 8:vj * 8 + 8], (16, 8), "int32", strides=[32, 1], offset_factor=1)
                    for p, q in T.grid(16, 8):
                        tile[p, q] = tile[p, q] + 1
