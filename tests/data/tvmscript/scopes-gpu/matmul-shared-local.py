# reads: yes; a product through shared and local memory
from tvm.script import tir as T


@T.prim_func
def mm(A: T.Buffer((128, 32), "float32"), B: T.Buffer((32, 128), "float32"), C: T.Buffer((128, 128), "float32")):
    for bx in T.thread_binding(64, thread="blockIdx.x"):
        with T.block("blk"):
            vb = T.axis.spatial(64, bx)
            As = T.alloc_buffer((16, 32), scope="shared")
            Bs = T.alloc_buffer((32, 16), scope="shared")
            for t, k in T.grid(16, 32):
                with T.block("load"):
                    vt, vk = T.axis.remap("SS", [t, k])
                    As[vt, vk] = A[vb // 8 * 16 + vt, vk]
                    Bs[vk, vt] = B[vk, vb % 8 * 16 + vt]
            for ty in T.thread_binding(16, thread="threadIdx.y"):
                for tx in T.thread_binding(16, thread="threadIdx.x"):
                    with T.block("dot"):
                        vy, vx = T.axis.remap("SS", [ty, tx])
                        acc = T.alloc_buffer((1,), scope="local")
                        acc[0] = T.float32(0)
                        for k in range(32):
                            acc[0] = acc[0] + As[vy, k] * Bs[k, vx]
                        C[vb // 8 * 16 + vy, vb % 8 * 16 + vx] = acc[0]
