# reads: yes; a step that is a parameter
from tvm.script import tir as T


@T.prim_func
def f(a: T.handle, n: T.int32, s: T.int32):
    A = T.match_buffer(a, (n,), "int32")
    T.assume(1 <= s)
    for i in range(0, n, s):
        A[i] = i // s
    for i in T.serial(0, n, step=s * 2):
        A[i] = A[i] + 1
