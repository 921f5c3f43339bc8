# reads: yes; T.sblock_alloc_buffer of shared and local memory before the loops over threads
from tvm.script import tirx as T

@T.prim_func(s_tir=True)
def sblock_alloc_of_threads(A: T.Buffer((256,), "float32"), B: T.Buffer((256,), "float32")):
    tile = T.sblock_alloc_buffer((64,), scope="shared")
    acc = T.sblock_alloc_buffer((1,), scope="local")
    for bx in T.thread_binding(4, thread="blockIdx.x"):
        for tx in T.thread_binding(64, thread="threadIdx.x"):
            with T.sblock("tile"):
                vb, vt = T.axis.remap("SS", [bx, tx])
                T.reads(A[vb * 64 + vt])
                T.writes(tile[vt])
                tile[vt] = A[vb * 64 + vt]
        for tx in T.thread_binding(64, thread="threadIdx.x"):
            acc[0] = T.float32(0)
            for k in range(4):
                acc[0] = acc[0] + tile[(tx + k) % 64]
            B[bx * 64 + tx] = acc[0]
