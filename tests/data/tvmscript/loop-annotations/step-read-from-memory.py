# reads: yes; a start and a step that the body could change, extents as steps
from tvm.script import tir as T


@T.prim_func
def f(a: T.handle, S: T.Buffer((2,), "int32"), n: T.int32):
    A = T.match_buffer(a, (n,), "int32")
    for i in range(S[0], n, 2):
        S[0] = S[0] + 1
        A[T.max(T.min(i, n - 1), 0)] = i
    for i in T.serial(0, 64, step=T.max(S[1], 1)):
        S[1] = i
    for i in T.serial(0, n, step=n + 1):
        A[i] = 0
