# reads: opaque; warpgroups, an election of one thread
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((512,), "float32"), C: T.Buffer((512,), "float32")):
    T.device_entry()
    cta = T.cta_id([2])
    wg = T.warpgroup_id([2])
    warp = T.warp_id_in_wg([4])
    lane = T.lane_id([32])
    i: T.let[T.int32] = cta * 256 + wg * 128 + warp * 32 + lane
    if wg == 0:
        if T.ptx.elect_sync():
            T.cuda.printf("first of %d\n", cta)
    C[i] = A[i] * T.float32(2)
