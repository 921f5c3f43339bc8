# reads: yes; T.Ramp and T.Broadcast as nodes
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in T.serial(8):
        B[T.Ramp(i * 8, 1, 8)] = A[T.Ramp(63 - i * 8, -1, 8)] + T.broadcast(A[i], 8)
    for i in T.serial(4):
        B[T.Ramp(i, 4, 16)] = T.Broadcast(T.float32(1), 16)
    B[0] = T.float32(0)
