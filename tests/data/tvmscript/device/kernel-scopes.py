# reads: opaque; scopes of kernel, block, warp and thread
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((64, 64), "float16"), B: T.Buffer((64, 64), "float16")):
    with T.kernel():
        bx, by = T.cta_id([8, 8], parent="kernel")
        warp = T.warp_id([2], parent="cta")
        lane = T.thread_id([32], parent="warp")
        with T.cta():
            S = T.alloc_buffer((8, 8), "float16", scope="shared")
            with T.thread():
                S[warp * 4 + lane // 8, lane % 8] = A[bx * 8 + warp * 4 + lane // 8, by * 8 + lane % 8]
            T.cuda.cta_sync()
            with T.thread():
                B[by * 8 + warp * 4 + lane // 8, bx * 8 + lane % 8] = S[lane % 8, warp * 4 + lane // 8]
