# reads: yes; a GEMV as a schedule rule leaves it: bound threads, annotations, a factored sum
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module(s_tir=True)
class Module:
    @T.prim_func(private=True, s_tir=True)
    def gemv(lv1: T.Buffer((1, 1, 512), "float16"), lv2: T.Buffer((256, 512), "float16"), out: T.Buffer((1, 1, 256), "float16")):
        T.func_attr({"tir.is_scheduled": True, "tir.noalias": True})
        # with T.sblock("root"):
        rf = T.sblock_alloc_buffer((32, 1, 1, 256), "float16", scope="local")
        x_shared = T.sblock_alloc_buffer((1, 1, 512), "float16", scope="shared")
        for ax0_fused in T.thread_binding(64, thread="blockIdx.x"):
            for ty in T.thread_binding(4, thread="threadIdx.y"):
                for tx in T.thread_binding(32, thread="threadIdx.x"):
                    for k0 in T.serial(1, annotations={"pragma_unroll_explicit": 1, "pragma_vectorize": 1}):
                        for k3 in T.vectorized(4):
                            with T.sblock("x_shared"):
                                v0 = T.axis.spatial(1, 0)
                                v1 = T.axis.spatial(1, 0)
                                v2 = T.axis.spatial(512, k0 * 512 + ty * 128 + tx * 4 + k3)
                                T.reads(lv1[v0, v1, v2])
                                T.writes(x_shared[v0, v1, v2])
                                x_shared[v0, v1, v2] = lv1[v0, v1, v2]
            for ty in T.thread_binding(4, thread="threadIdx.y"):
                for tx in T.thread_binding(32, thread="threadIdx.x"):
                    for r in T.serial(16, annotations={"pragma_auto_unroll_max_step": 16, "pragma_unroll_explicit": 1}):
                        with T.sblock("rf"):
                            vt = T.axis.spatial(32, tx)
                            vn = T.axis.spatial(256, ax0_fused * 4 + ty)
                            vr = T.axis.reduce(16, r)
                            T.reads(x_shared[0, 0, vr * 32 + vt], lv2[vn, vr * 32 + vt])
                            T.writes(rf[vt, 0, 0, vn])
                            with T.init():
                                rf[vt, 0, 0, vn] = T.float16(0.0)
                            rf[vt, 0, 0, vn] = rf[vt, 0, 0, vn] + x_shared[0, 0, vr * 32 + vt] * lv2[vn, vr * 32 + vt]
            for ty in T.thread_binding(4, thread="threadIdx.y"):
                for tx in T.serial(32):
                    with T.sblock("out"):
                        vt = T.axis.reduce(32, tx)
                        vn = T.axis.spatial(256, ax0_fused * 4 + ty)
                        T.reads(rf[vt, 0, 0, vn])
                        T.writes(out[0, 0, vn])
                        T.sblock_attr({"meta_schedule.cross_thread_reduction_applied": 1})
                        with T.init():
                            out[0, 0, vn] = T.float16(0.0)
                        out[0, 0, vn] = out[0, 0, vn] + rf[vt, 0, 0, vn]
