# reads: yes; a fused module with symbolic sizes as Relax prints it
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module(check_well_formed=False, s_tir=True)
class Module:
    @T.prim_func(private=True, s_tir=True)
    def fused_rms_norm_quantize(p_x: T.handle, w: T.Buffer((T.int64(64),), "float16"), p_q: T.handle, p_s: T.handle):
        T.func_attr({"op_pattern": 4, "tir.noalias": True})
        n = T.int64()
        x = T.match_buffer(p_x, (n, T.int64(64)), "float16")
        q = T.match_buffer(p_q, (n, T.int64(64)), "int8")
        s = T.match_buffer(p_s, (n,), "float32")
        # with T.sblock("root"):
        ss = T.sblock_alloc_buffer((n,))
        y = T.sblock_alloc_buffer((n, T.int64(64)))
        for i, k in T.grid(n, T.int64(64)):
            with T.sblock("ss"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    ss[vi] = T.float32(0.0)
                ss[vi] = ss[vi] + T.Cast("float32", x[vi, vk]) * T.Cast("float32", x[vi, vk])
        for i, j in T.grid(n, T.int64(64)):
            with T.sblock("norm"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = T.Cast("float32", x[vi, vj]) / T.sqrt(ss[vi] * T.float32(0.015625) + T.float32(1.0e-05)) * T.Cast("float32", w[vj])
        for i, k in T.grid(n, T.int64(64)):
            with T.sblock("absmax"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    s[vi] = T.float32(1.0e-06)
                s[vi] = T.max(s[vi], T.fabs(y[vi, vk]))
        for i, j in T.grid(n, T.int64(64)):
            with T.sblock("quantize"):
                vi, vj = T.axis.remap("SS", [i, j])
                q[vi, vj] = T.Cast("int8", T.round(y[vi, vj] * T.float32(127.0) / s[vi]))
