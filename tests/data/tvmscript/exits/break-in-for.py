# reads: yes; break of a serial loop
import tvm
from tvm.script import tir as T


@T.prim_func(s_tir=True)
def find(A: T.Buffer((200,), "float32"), key: T.float32, at: T.Buffer((1,), "int32")):
    at[0] = -1
    for i in range(200):
        if A[i] == key:
            at[0] = i
            break
