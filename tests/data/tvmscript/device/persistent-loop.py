# reads: opaque; a persistent kernel with a while loop and meta variables
from tvm.script import tir as T


@T.prim_func
def persistent(A: T.Buffer((1000, 128), "float32"), B: T.Buffer((1000, 128), "float32")):
    T.device_entry()
    NUM_CTA = T.meta_var(148)
    bx = T.cta_id([NUM_CTA])
    tx = T.thread_id([128])
    tile = T.alloc_local((1,), "int32")
    tile[0] = bx
    while tile[0] < 1000:
        B[tile[0], tx] = A[tile[0], tx] * T.float32(0.5)
        tile[0] = tile[0] + NUM_CTA
