# reads: yes; stores of vectors that read the buffer they change
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((32,), "float32")):
    A[1:17] = A[0:16]
    A[T.ramp(31, -1, 16)] = A[16:32]
    A[0:8] += A[4:12] * T.broadcast(A[0], 8)
