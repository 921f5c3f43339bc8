# reads: opaque; atomic additions, loads from textures, a DMA copy
import tvm
from tvm.script import tir as T


@T.prim_func
def f(tex: T.handle("float16", "global.texture"), H: T.Buffer((16,), "int32"), A: T.Buffer((256,), "uint8"), V: T.Buffer((256,), "uint8")):
    bx = T.launch_thread("blockIdx.x", 4)
    tx = T.launch_thread("threadIdx.x", 64)
    T.evaluate(T.call_extern("int32", "atomicAdd", T.address_of(H[(bx * 64 + tx) % 16]), 1))
    v: T.let = T.texture2d_load("float16x4", tex, bx, tx, 0, 0)
    T.texture2d_store(tex, bx, tx, 0, 0, v)
    T.dma_copy(0, T.address_of(V[0]), T.address_of(A[0]), 256, 0)
    T.dma_wait(0, 0)
