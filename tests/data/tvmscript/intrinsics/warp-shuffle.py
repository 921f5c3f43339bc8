# reads: opaque; tvm_warp_shuffle with a mask of active threads
# from tvm.script import tir as T

@T.prim_func
def warp_sum(A: T.Buffer((8, 32), "float32"), S: T.Buffer((8,), "float32")):
    bx = T.launch_thread("blockIdx.x", 8)
    tx = T.launch_thread("threadIdx.x", 32)
    r = T.decl_buffer((1,), "float32", scope="local")
    mask = T.decl_buffer((1,), "uint32", scope="local")
    r[0] = A[bx, tx]
    mask[0] = T.tvm_warp_activemask()
    r[0] = r[0] + T.tvm_warp_shuffle_down(mask[0], r[0], 16, 32, 32)
    r[0] = r[0] + T.tvm_warp_shuffle_down(mask[0], r[0], 8, 32, 32)
    r[0] = r[0] + T.tvm_warp_shuffle_down(mask[0], r[0], 4, 32, 32)
    r[0] = r[0] + T.tvm_warp_shuffle_down(mask[0], r[0], 2, 32, 32)
    r[0] = r[0] + T.tvm_warp_shuffle_down(mask[0], r[0], 1, 32, 32)
    r[0] = T.tvm_warp_shuffle(mask[0], r[0], 0, 32, 32)
    if tx == 0:
        S[bx] = r[0]
