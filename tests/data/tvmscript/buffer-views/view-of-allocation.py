# reads: yes; two views of one allocation, used one after the other
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    ws = T.allocate([64], "float32", "global")
    w1 = T.decl_buffer((64,), data=ws)
    for i in range(64):
        w1[i] = A[i] * T.float32(2)
    w2 = T.decl_buffer((8, 8), data=ws)
    for i, j in T.grid(8, 8):
        B[i * 8 + j] = w2[j, i]
