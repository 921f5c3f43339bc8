# reads: yes; four elements by vload and vstore
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(16):
        B.vstore([i * 4], A.vload([i * 4], "float32x4") * T.Broadcast(T.float32(2), 4))
    for i in range(32):
        v: T.let = B.vload([i * 2], dtype="float32x2")
        B.vstore([i * 2], v + v)
