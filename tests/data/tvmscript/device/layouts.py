# reads: opaque; layouts of buffers as objects
# from tvm.script import tir as T

@T.prim_func
def f(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (64, 64), "float16", layout=T.TileLayout(T.S[(64, 64) : (64, 1)]))
    B = T.match_buffer(b, (64, 64), "float16", layout="default")
    T.device_entry()
    bx = T.cta_id([64])
    tx = T.thread_id([64])
    S = T.alloc_buffer((64,), "float16", scope="shared", layout=None)
    S[tx] = A[bx, tx]
    T.cuda.cta_sync()
    B[tx, bx] = S[tx]
