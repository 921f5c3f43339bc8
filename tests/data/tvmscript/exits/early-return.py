# reads: yes; a return in the middle of a body, with lets before and after it
from tvm.script import tir as T


@T.prim_func(private=True)
def clip(A: T.Buffer((64,), "int32"), n: T.int32):
    m: T.let[T.int32] = T.min(n, 64)
    if m <= 0:
        A[0] = -1
        return
    half: T.let[T.int32] = m // 2
    for i in range(m):
        A[i] = T.max(A[i], half)
