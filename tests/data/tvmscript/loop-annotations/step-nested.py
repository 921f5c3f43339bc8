# reads: yes; two nested loops with steps and a guarded tail
from tvm.script import tir as T


@T.prim_func
def tile_sum(A: T.Buffer((30, 30), "float32"), S: T.Buffer((1,), "float32")):
    S[0] = T.float32(0)
    for i in T.serial(0, 30, step=7):
        for j in T.serial(0, 30, step=8):
            for u, v in T.grid(7, 8):
                if i + u < 30 and j + v < 30:
                    S[0] = S[0] + A[i + u, j + v]
