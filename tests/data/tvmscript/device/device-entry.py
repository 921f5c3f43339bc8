# reads: opaque; T.device_entry with indices of blocks and threads
from tvm.script import tir as T


@T.prim_func
def add_one(A: T.Buffer((1024,), "float32"), B: T.Buffer((1024,), "float32")):
    T.device_entry()
    bx = T.cta_id([8])
    tx = T.thread_id([128])
    B[bx * 128 + tx] = A[bx * 128 + tx] + T.float32(1)
    if tx == 0:
        T.cuda.printf("block %d\n", bx)
