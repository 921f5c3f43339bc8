# reads: yes; slices with a broadcast constant
import tvm
from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
    A_1 = T.Buffer((256,), data=A.data)
    B_1 = T.Buffer((256,), data=B.data)
    for i in T.parallel(16):
        B_1[i * 16:i * 16 + 16] = A_1[i * 16:i * 16 + 16] * T.Broadcast(T.float32(0.5), 16)
