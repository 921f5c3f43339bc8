# reads: yes; both in nested loops
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((16, 16), "int32"), c: T.Buffer((16,), "int32")):
    for i in range(16):
        c[i] = 0
        for j in range(16):
            if A[i, j] == 0:
                continue
            if A[i, j] < 0:
                break
            c[i] = c[i] + 1
        if c[i] == 16:
            continue
        c[i] = c[i] * 2
