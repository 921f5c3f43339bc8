# reads: yes; lenet5, as TVM 0.27.0.post1 prints it after LegalizeOps
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def add(lv: T.Buffer((T.int64(1), T.int64(6), T.int64(28), T.int64(28)), "float32"), lv1: T.Buffer((T.int64(1), T.int64(6), T.int64(1), T.int64(1)), "float32"), T_add: T.Buffer((T.int64(1), T.int64(6), T.int64(28), T.int64(28)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(6), T.int64(28), T.int64(28)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(lv[v_ax0, v_ax1, v_ax2, v_ax3], lv1[v_ax0, v_ax1, T.int64(0), T.int64(0)])
                T.writes(T_add[v_ax0, v_ax1, v_ax2, v_ax3])
                T_add[v_ax0, v_ax1, v_ax2, v_ax3] = lv[v_ax0, v_ax1, v_ax2, v_ax3] + lv1[v_ax0, v_ax1, T.int64(0), T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def add1(lv2: T.Buffer((T.int64(1), T.int64(16), T.int64(10), T.int64(10)), "float32"), lv3: T.Buffer((T.int64(1), T.int64(16), T.int64(1), T.int64(1)), "float32"), T_add: T.Buffer((T.int64(1), T.int64(16), T.int64(10), T.int64(10)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(16), T.int64(10), T.int64(10)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(lv2[v_ax0, v_ax1, v_ax2, v_ax3], lv3[v_ax0, v_ax1, T.int64(0), T.int64(0)])
                T.writes(T_add[v_ax0, v_ax1, v_ax2, v_ax3])
                T_add[v_ax0, v_ax1, v_ax2, v_ax3] = lv2[v_ax0, v_ax1, v_ax2, v_ax3] + lv3[v_ax0, v_ax1, T.int64(0), T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def add2(matmul: T.Buffer((T.int64(1), T.int64(120)), "float32"), f1_bias: T.Buffer((T.int64(120),), "float32"), T_add: T.Buffer((T.int64(1), T.int64(120)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(T.int64(1), T.int64(120)):
            with T.sblock("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(matmul[v_ax0, v_ax1], f1_bias[v_ax1])
                T.writes(T_add[v_ax0, v_ax1])
                T_add[v_ax0, v_ax1] = matmul[v_ax0, v_ax1] + f1_bias[v_ax1]

    @T.prim_func(private=True, s_tir=True)
    def add3(matmul1: T.Buffer((T.int64(1), T.int64(84)), "float32"), f2_bias: T.Buffer((T.int64(84),), "float32"), T_add: T.Buffer((T.int64(1), T.int64(84)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(T.int64(1), T.int64(84)):
            with T.sblock("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(matmul1[v_ax0, v_ax1], f2_bias[v_ax1])
                T.writes(T_add[v_ax0, v_ax1])
                T_add[v_ax0, v_ax1] = matmul1[v_ax0, v_ax1] + f2_bias[v_ax1]

    @T.prim_func(private=True, s_tir=True)
    def add4(matmul2: T.Buffer((T.int64(1), T.int64(10)), "float32"), f3_bias: T.Buffer((T.int64(10),), "float32"), T_add: T.Buffer((T.int64(1), T.int64(10)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(T.int64(1), T.int64(10)):
            with T.sblock("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(matmul2[v_ax0, v_ax1], f3_bias[v_ax1])
                T.writes(T_add[v_ax0, v_ax1])
                T_add[v_ax0, v_ax1] = matmul2[v_ax0, v_ax1] + f3_bias[v_ax1]

    @T.prim_func(private=True, s_tir=True)
    def avg_pool2d(tanh: T.Buffer((T.int64(1), T.int64(6), T.int64(28), T.int64(28)), "float32"), pool_avg: T.Buffer((T.int64(1), T.int64(6), T.int64(14), T.int64(14)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pool_sum = T.sblock_alloc_buffer((T.int64(1), T.int64(6), T.int64(14), T.int64(14)))
        for ax0, ax1, ax2, ax3, rv0, rv1 in T.grid(T.int64(1), T.int64(6), T.int64(14), T.int64(14), T.int64(2), T.int64(2)):
            with T.sblock("pool_sum"):
                v_ax0, v_ax1, v_ax2, v_ax3, v_rv0, v_rv1 = T.axis.remap("SSSSRR", [ax0, ax1, ax2, ax3, rv0, rv1])
                T.reads(tanh[v_ax0, v_ax1, v_ax2 * T.int64(2) + v_rv0, v_ax3 * T.int64(2) + v_rv1])
                T.writes(pool_sum[v_ax0, v_ax1, v_ax2, v_ax3])
                with T.init():
                    pool_sum[v_ax0, v_ax1, v_ax2, v_ax3] = T.float32(0.0)
                pool_sum[v_ax0, v_ax1, v_ax2, v_ax3] = pool_sum[v_ax0, v_ax1, v_ax2, v_ax3] + tanh[v_ax0, v_ax1, v_ax2 * T.int64(2) + v_rv0, v_ax3 * T.int64(2) + v_rv1]
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(6), T.int64(14), T.int64(14)):
            with T.sblock("pool_avg"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(pool_sum[v_ax0, v_ax1, v_ax2, v_ax3])
                T.writes(pool_avg[v_ax0, v_ax1, v_ax2, v_ax3])
                T.sblock_attr({"schedule_rule": "meta_schedule.pool_avg"})
                pool_avg[v_ax0, v_ax1, v_ax2, v_ax3] = pool_sum[v_ax0, v_ax1, v_ax2, v_ax3] / T.Cast("float32", T.max((T.min(v_ax2, T.int64(0)) * T.int64(2) + T.min(v_ax2 * T.int64(2) + T.int64(1), T.int64(27)) + T.int64(1) - v_ax2 * T.int64(2)) * (T.min(v_ax3, T.int64(0)) * T.int64(2) + T.min(v_ax3 * T.int64(2) + T.int64(1), T.int64(27)) + T.int64(1) - v_ax3 * T.int64(2)), T.int64(1)))

    @T.prim_func(private=True, s_tir=True)
    def avg_pool2d1(tanh1: T.Buffer((T.int64(1), T.int64(16), T.int64(10), T.int64(10)), "float32"), pool_avg: T.Buffer((T.int64(1), T.int64(16), T.int64(5), T.int64(5)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pool_sum = T.sblock_alloc_buffer((T.int64(1), T.int64(16), T.int64(5), T.int64(5)))
        for ax0, ax1, ax2, ax3, rv0, rv1 in T.grid(T.int64(1), T.int64(16), T.int64(5), T.int64(5), T.int64(2), T.int64(2)):
            with T.sblock("pool_sum"):
                v_ax0, v_ax1, v_ax2, v_ax3, v_rv0, v_rv1 = T.axis.remap("SSSSRR", [ax0, ax1, ax2, ax3, rv0, rv1])
                T.reads(tanh1[v_ax0, v_ax1, v_ax2 * T.int64(2) + v_rv0, v_ax3 * T.int64(2) + v_rv1])
                T.writes(pool_sum[v_ax0, v_ax1, v_ax2, v_ax3])
                with T.init():
                    pool_sum[v_ax0, v_ax1, v_ax2, v_ax3] = T.float32(0.0)
                pool_sum[v_ax0, v_ax1, v_ax2, v_ax3] = pool_sum[v_ax0, v_ax1, v_ax2, v_ax3] + tanh1[v_ax0, v_ax1, v_ax2 * T.int64(2) + v_rv0, v_ax3 * T.int64(2) + v_rv1]
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(16), T.int64(5), T.int64(5)):
            with T.sblock("pool_avg"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(pool_sum[v_ax0, v_ax1, v_ax2, v_ax3])
                T.writes(pool_avg[v_ax0, v_ax1, v_ax2, v_ax3])
                T.sblock_attr({"schedule_rule": "meta_schedule.pool_avg"})
                pool_avg[v_ax0, v_ax1, v_ax2, v_ax3] = pool_sum[v_ax0, v_ax1, v_ax2, v_ax3] / T.Cast("float32", T.max((T.min(v_ax2, T.int64(0)) * T.int64(2) + T.min(v_ax2 * T.int64(2) + T.int64(1), T.int64(9)) + T.int64(1) - v_ax2 * T.int64(2)) * (T.min(v_ax3, T.int64(0)) * T.int64(2) + T.min(v_ax3 * T.int64(2) + T.int64(1), T.int64(9)) + T.int64(1) - v_ax3 * T.int64(2)), T.int64(1)))

    @T.prim_func(private=True, s_tir=True)
    def conv2d(x: T.Buffer((T.int64(1), T.int64(1), T.int64(28), T.int64(28)), "float32"), c1_weight: T.Buffer((T.int64(6), T.int64(1), T.int64(5), T.int64(5)), "float32"), conv2d_nchw: T.Buffer((T.int64(1), T.int64(6), T.int64(28), T.int64(28)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(1), T.int64(32), T.int64(32)))
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(1), T.int64(32), T.int64(32)):
            with T.sblock("pad_temp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(x[v_i0, v_i1, v_i2 - T.int64(2), v_i3 - T.int64(2)])
                T.writes(pad_temp[v_i0, v_i1, v_i2, v_i3])
                pad_temp[v_i0, v_i1, v_i2, v_i3] = T.if_then_else(T.int64(2) <= v_i2 and v_i2 < T.int64(30) and T.int64(2) <= v_i3 and v_i3 < T.int64(30), x[v_i0, v_i1, v_i2 - T.int64(2), v_i3 - T.int64(2)], T.float32(0.0))
        for nn, ff, yy, xx, rc, ry, rx in T.grid(T.int64(1), T.int64(6), T.int64(28), T.int64(28), T.int64(1), T.int64(5), T.int64(5)):
            with T.sblock("conv2d_nchw"):
                v_nn, v_ff, v_yy, v_xx, v_rc, v_ry, v_rx = T.axis.remap("SSSSRRR", [nn, ff, yy, xx, rc, ry, rx])
                T.reads(pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx], c1_weight[v_ff, v_rc, v_ry, v_rx])
                T.writes(conv2d_nchw[v_nn, v_ff, v_yy, v_xx])
                with T.init():
                    conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = T.float32(0.0)
                conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = conv2d_nchw[v_nn, v_ff, v_yy, v_xx] + pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx] * c1_weight[v_ff, v_rc, v_ry, v_rx]

    @T.prim_func(private=True, s_tir=True)
    def conv2d1(avg_pool: T.Buffer((T.int64(1), T.int64(6), T.int64(14), T.int64(14)), "float32"), c2_weight: T.Buffer((T.int64(16), T.int64(6), T.int64(5), T.int64(5)), "float32"), conv2d_nchw: T.Buffer((T.int64(1), T.int64(16), T.int64(10), T.int64(10)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(6), T.int64(14), T.int64(14)))
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(6), T.int64(14), T.int64(14)):
            with T.sblock("pad_temp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(avg_pool[v_i0, v_i1, v_i2, v_i3])
                T.writes(pad_temp[v_i0, v_i1, v_i2, v_i3])
                pad_temp[v_i0, v_i1, v_i2, v_i3] = avg_pool[v_i0, v_i1, v_i2, v_i3]
        for nn, ff, yy, xx, rc, ry, rx in T.grid(T.int64(1), T.int64(16), T.int64(10), T.int64(10), T.int64(6), T.int64(5), T.int64(5)):
            with T.sblock("conv2d_nchw"):
                v_nn, v_ff, v_yy, v_xx, v_rc, v_ry, v_rx = T.axis.remap("SSSSRRR", [nn, ff, yy, xx, rc, ry, rx])
                T.reads(pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx], c2_weight[v_ff, v_rc, v_ry, v_rx])
                T.writes(conv2d_nchw[v_nn, v_ff, v_yy, v_xx])
                with T.init():
                    conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = T.float32(0.0)
                conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = conv2d_nchw[v_nn, v_ff, v_yy, v_xx] + pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx] * c2_weight[v_ff, v_rc, v_ry, v_rx]

    @T.prim_func(private=True, s_tir=True)
    def matmul(reshape: T.Buffer((T.int64(1), T.int64(400)), "float32"), permute_dims: T.Buffer((T.int64(400), T.int64(120)), "float32"), matmul: T.Buffer((T.int64(1), T.int64(120)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, k in T.grid(T.int64(1), T.int64(120), T.int64(400)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_k = T.axis.remap("SSR", [i0, i1, k])
                T.reads(reshape[v_i0, v_k], permute_dims[v_k, v_i1])
                T.writes(matmul[v_i0, v_i1])
                with T.init():
                    matmul[v_i0, v_i1] = T.float32(0.0)
                matmul[v_i0, v_i1] = matmul[v_i0, v_i1] + reshape[v_i0, v_k] * permute_dims[v_k, v_i1]

    @T.prim_func(private=True, s_tir=True)
    def matmul1(tanh2: T.Buffer((T.int64(1), T.int64(120)), "float32"), permute_dims1: T.Buffer((T.int64(120), T.int64(84)), "float32"), matmul: T.Buffer((T.int64(1), T.int64(84)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, k in T.grid(T.int64(1), T.int64(84), T.int64(120)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_k = T.axis.remap("SSR", [i0, i1, k])
                T.reads(tanh2[v_i0, v_k], permute_dims1[v_k, v_i1])
                T.writes(matmul[v_i0, v_i1])
                with T.init():
                    matmul[v_i0, v_i1] = T.float32(0.0)
                matmul[v_i0, v_i1] = matmul[v_i0, v_i1] + tanh2[v_i0, v_k] * permute_dims1[v_k, v_i1]

    @T.prim_func(private=True, s_tir=True)
    def matmul2(tanh3: T.Buffer((T.int64(1), T.int64(84)), "float32"), permute_dims2: T.Buffer((T.int64(84), T.int64(10)), "float32"), matmul: T.Buffer((T.int64(1), T.int64(10)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, k in T.grid(T.int64(1), T.int64(10), T.int64(84)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_k = T.axis.remap("SSR", [i0, i1, k])
                T.reads(tanh3[v_i0, v_k], permute_dims2[v_k, v_i1])
                T.writes(matmul[v_i0, v_i1])
                with T.init():
                    matmul[v_i0, v_i1] = T.float32(0.0)
                matmul[v_i0, v_i1] = matmul[v_i0, v_i1] + tanh3[v_i0, v_k] * permute_dims2[v_k, v_i1]

    @T.prim_func(private=True, s_tir=True)
    def reshape(c1_bias: T.Buffer((T.int64(6),), "float32"), T_reshape: T.Buffer((T.int64(1), T.int64(6), T.int64(1), T.int64(1)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(6), T.int64(1), T.int64(1)):
            with T.sblock("T_reshape"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(c1_bias[(v_ax1 + v_ax2 + v_ax3) % T.int64(6)])
                T.writes(T_reshape[v_ax0, v_ax1, v_ax2, v_ax3])
                T_reshape[v_ax0, v_ax1, v_ax2, v_ax3] = c1_bias[(v_ax1 + v_ax2 + v_ax3) % T.int64(6)]

    @T.prim_func(private=True, s_tir=True)
    def reshape1(c2_bias: T.Buffer((T.int64(16),), "float32"), T_reshape: T.Buffer((T.int64(1), T.int64(16), T.int64(1), T.int64(1)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(16), T.int64(1), T.int64(1)):
            with T.sblock("T_reshape"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(c2_bias[(v_ax1 + v_ax2 + v_ax3) % T.int64(16)])
                T.writes(T_reshape[v_ax0, v_ax1, v_ax2, v_ax3])
                T_reshape[v_ax0, v_ax1, v_ax2, v_ax3] = c2_bias[(v_ax1 + v_ax2 + v_ax3) % T.int64(16)]

    @T.prim_func(private=True, s_tir=True)
    def reshape2(avg_pool1: T.Buffer((T.int64(1), T.int64(16), T.int64(5), T.int64(5)), "float32"), T_reshape: T.Buffer((T.int64(1), T.int64(400)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(T.int64(1), T.int64(400)):
            with T.sblock("T_reshape"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(avg_pool1[T.int64(0), v_ax1 % T.int64(400) // T.int64(25), v_ax1 % T.int64(25) // T.int64(5), v_ax1 % T.int64(5)])
                T.writes(T_reshape[v_ax0, v_ax1])
                T_reshape[v_ax0, v_ax1] = avg_pool1[T.int64(0), v_ax1 % T.int64(400) // T.int64(25), v_ax1 % T.int64(25) // T.int64(5), v_ax1 % T.int64(5)]

    @T.prim_func(private=True, s_tir=True)
    def tir_tanh(conv2d: T.Buffer((T.int64(1), T.int64(6), T.int64(28), T.int64(28)), "float32"), compute: T.Buffer((T.int64(1), T.int64(6), T.int64(28), T.int64(28)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(6), T.int64(28), T.int64(28)):
            with T.sblock("compute"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(conv2d[v_i0, v_i1, v_i2, v_i3])
                T.writes(compute[v_i0, v_i1, v_i2, v_i3])
                compute[v_i0, v_i1, v_i2, v_i3] = T.tanh(conv2d[v_i0, v_i1, v_i2, v_i3])

    @T.prim_func(private=True, s_tir=True)
    def tir_tanh1(conv2d1: T.Buffer((T.int64(1), T.int64(16), T.int64(10), T.int64(10)), "float32"), compute: T.Buffer((T.int64(1), T.int64(16), T.int64(10), T.int64(10)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(16), T.int64(10), T.int64(10)):
            with T.sblock("compute"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(conv2d1[v_i0, v_i1, v_i2, v_i3])
                T.writes(compute[v_i0, v_i1, v_i2, v_i3])
                compute[v_i0, v_i1, v_i2, v_i3] = T.tanh(conv2d1[v_i0, v_i1, v_i2, v_i3])

    @T.prim_func(private=True, s_tir=True)
    def tir_tanh2(add: T.Buffer((T.int64(1), T.int64(120)), "float32"), compute: T.Buffer((T.int64(1), T.int64(120)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1 in T.grid(T.int64(1), T.int64(120)):
            with T.sblock("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(add[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.tanh(add[v_i0, v_i1])

    @T.prim_func(private=True, s_tir=True)
    def tir_tanh3(add1: T.Buffer((T.int64(1), T.int64(84)), "float32"), compute: T.Buffer((T.int64(1), T.int64(84)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1 in T.grid(T.int64(1), T.int64(84)):
            with T.sblock("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(add1[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.tanh(add1[v_i0, v_i1])

    @T.prim_func(private=True, s_tir=True)
    def transpose(f1_weight: T.Buffer((T.int64(120), T.int64(400)), "float32"), T_transpose: T.Buffer((T.int64(400), T.int64(120)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(T.int64(400), T.int64(120)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(f1_weight[v_ax1, v_ax0])
                T.writes(T_transpose[v_ax0, v_ax1])
                T_transpose[v_ax0, v_ax1] = f1_weight[v_ax1, v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def transpose1(f2_weight: T.Buffer((T.int64(84), T.int64(120)), "float32"), T_transpose: T.Buffer((T.int64(120), T.int64(84)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(T.int64(120), T.int64(84)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(f2_weight[v_ax1, v_ax0])
                T.writes(T_transpose[v_ax0, v_ax1])
                T_transpose[v_ax0, v_ax1] = f2_weight[v_ax1, v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def transpose2(f3_weight: T.Buffer((T.int64(10), T.int64(84)), "float32"), T_transpose: T.Buffer((T.int64(84), T.int64(10)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(T.int64(84), T.int64(10)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(f3_weight[v_ax1, v_ax0])
                T.writes(T_transpose[v_ax0, v_ax1])
                T_transpose[v_ax0, v_ax1] = f3_weight[v_ax1, v_ax0]

    @R.function
    def main(x: R.Tensor((1, 1, 28, 28), dtype="float32"), c1_weight: R.Tensor((6, 1, 5, 5), dtype="float32"), c1_bias: R.Tensor((6,), dtype="float32"), c2_weight: R.Tensor((16, 6, 5, 5), dtype="float32"), c2_bias: R.Tensor((16,), dtype="float32"), f1_weight: R.Tensor((120, 400), dtype="float32"), f1_bias: R.Tensor((120,), dtype="float32"), f2_weight: R.Tensor((84, 120), dtype="float32"), f2_bias: R.Tensor((84,), dtype="float32"), f3_weight: R.Tensor((10, 84), dtype="float32"), f3_bias: R.Tensor((10,), dtype="float32")) -> R.Tensor((1, 10), dtype="float32"):
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            lv = R.call_tir(cls.conv2d, (x, c1_weight), out_ty=R.Tensor((1, 6, 28, 28), dtype="float32"))
            lv1 = R.call_tir(cls.reshape, (c1_bias,), out_ty=R.Tensor((1, 6, 1, 1), dtype="float32"))
            conv2d = R.call_tir(cls.add, (lv, lv1), out_ty=R.Tensor((1, 6, 28, 28), dtype="float32"))
            tanh = R.call_tir(cls.tir_tanh, (conv2d,), out_ty=R.Tensor((1, 6, 28, 28), dtype="float32"))
            avg_pool = R.call_tir(cls.avg_pool2d, (tanh,), out_ty=R.Tensor((1, 6, 14, 14), dtype="float32"))
            lv2 = R.call_tir(cls.conv2d1, (avg_pool, c2_weight), out_ty=R.Tensor((1, 16, 10, 10), dtype="float32"))
            lv3 = R.call_tir(cls.reshape1, (c2_bias,), out_ty=R.Tensor((1, 16, 1, 1), dtype="float32"))
            conv2d1 = R.call_tir(cls.add1, (lv2, lv3), out_ty=R.Tensor((1, 16, 10, 10), dtype="float32"))
            tanh1 = R.call_tir(cls.tir_tanh1, (conv2d1,), out_ty=R.Tensor((1, 16, 10, 10), dtype="float32"))
            avg_pool1 = R.call_tir(cls.avg_pool2d1, (tanh1,), out_ty=R.Tensor((1, 16, 5, 5), dtype="float32"))
            reshape = R.call_tir(cls.reshape2, (avg_pool1,), out_ty=R.Tensor((1, 400), dtype="float32"))
            permute_dims = R.call_tir(cls.transpose, (f1_weight,), out_ty=R.Tensor((400, 120), dtype="float32"))
            matmul = R.call_tir(cls.matmul, (reshape, permute_dims), out_ty=R.Tensor((1, 120), dtype="float32"))
            add = R.call_tir(cls.add2, (matmul, f1_bias), out_ty=R.Tensor((1, 120), dtype="float32"))
            tanh2 = R.call_tir(cls.tir_tanh2, (add,), out_ty=R.Tensor((1, 120), dtype="float32"))
            permute_dims1 = R.call_tir(cls.transpose1, (f2_weight,), out_ty=R.Tensor((120, 84), dtype="float32"))
            matmul1 = R.call_tir(cls.matmul1, (tanh2, permute_dims1), out_ty=R.Tensor((1, 84), dtype="float32"))
            add1 = R.call_tir(cls.add3, (matmul1, f2_bias), out_ty=R.Tensor((1, 84), dtype="float32"))
            tanh3 = R.call_tir(cls.tir_tanh3, (add1,), out_ty=R.Tensor((1, 84), dtype="float32"))
            permute_dims2 = R.call_tir(cls.transpose2, (f3_weight,), out_ty=R.Tensor((84, 10), dtype="float32"))
            matmul2 = R.call_tir(cls.matmul2, (tanh3, permute_dims2), out_ty=R.Tensor((1, 10), dtype="float32"))
            add2 = R.call_tir(cls.add4, (matmul2, f3_bias), out_ty=R.Tensor((1, 10), dtype="float32"))
            gv: R.Tensor((1, 10), dtype="float32") = add2
            R.output(gv)
        return gv
