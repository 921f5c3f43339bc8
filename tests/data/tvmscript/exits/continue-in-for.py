# reads: yes; continue of a serial loop
from tvm.script import tir as T


@T.prim_func(s_tir=True)
def sum_positive(A: T.Buffer((200,), "int32"), s: T.Buffer((1,), "int32")):
    s[0] = 0
    for i in T.serial(200):
        if A[i] <= 0:
            continue
        s[0] = s[0] + A[i]
