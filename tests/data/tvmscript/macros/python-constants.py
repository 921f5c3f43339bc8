# reads: yes; numbers of the file used in the function
from tvm.script import tir as T

N = 32
TILE = 8
DTYPE = "float32"


@T.prim_func
def f(A: T.Buffer((N, N), DTYPE), B: T.Buffer((N, N), DTYPE)):
    for io, jo, ii, ji in T.grid(N // TILE, N // TILE, TILE, TILE):
        with T.block("B"):
            vi = T.axis.spatial(N, io * TILE + ii)
            vj = T.axis.spatial(N, jo * TILE + ji)
            B[vi, vj] = A[vj, vi]
