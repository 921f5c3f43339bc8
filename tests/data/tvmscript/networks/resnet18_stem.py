# reads: yes; resnet18_stem, as TVM 0.27.0.post1 prints it after LegalizeOps
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def add(mul: T.Buffer((T.int64(1), T.int64(64), T.int64(28), T.int64(28)), "float32"), c_shift: T.Buffer((T.int64(1), T.int64(64), T.int64(1), T.int64(1)), "float32"), T_add: T.Buffer((T.int64(1), T.int64(64), T.int64(28), T.int64(28)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(64), T.int64(28), T.int64(28)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(mul[v_ax0, v_ax1, v_ax2, v_ax3], c_shift[v_ax0, v_ax1, T.int64(0), T.int64(0)])
                T.writes(T_add[v_ax0, v_ax1, v_ax2, v_ax3])
                T_add[v_ax0, v_ax1, v_ax2, v_ax3] = mul[v_ax0, v_ax1, v_ax2, v_ax3] + c_shift[v_ax0, v_ax1, T.int64(0), T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def conv2d(x: T.Buffer((T.int64(1), T.int64(3), T.int64(56), T.int64(56)), "float32"), c_conv_weight: T.Buffer((T.int64(64), T.int64(3), T.int64(7), T.int64(7)), "float32"), conv2d_nchw: T.Buffer((T.int64(1), T.int64(64), T.int64(28), T.int64(28)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(3), T.int64(62), T.int64(62)))
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(3), T.int64(62), T.int64(62)):
            with T.sblock("pad_temp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(x[v_i0, v_i1, v_i2 - T.int64(3), v_i3 - T.int64(3)])
                T.writes(pad_temp[v_i0, v_i1, v_i2, v_i3])
                pad_temp[v_i0, v_i1, v_i2, v_i3] = T.if_then_else(T.int64(3) <= v_i2 and v_i2 < T.int64(59) and T.int64(3) <= v_i3 and v_i3 < T.int64(59), x[v_i0, v_i1, v_i2 - T.int64(3), v_i3 - T.int64(3)], T.float32(0.0))
        for nn, ff, yy, xx, rc, ry, rx in T.grid(T.int64(1), T.int64(64), T.int64(28), T.int64(28), T.int64(3), T.int64(7), T.int64(7)):
            with T.sblock("conv2d_nchw"):
                v_nn, v_ff, v_yy, v_xx, v_rc, v_ry, v_rx = T.axis.remap("SSSSRRR", [nn, ff, yy, xx, rc, ry, rx])
                T.reads(pad_temp[v_nn, v_rc, v_yy * T.int64(2) + v_ry, v_xx * T.int64(2) + v_rx], c_conv_weight[v_ff, v_rc, v_ry, v_rx])
                T.writes(conv2d_nchw[v_nn, v_ff, v_yy, v_xx])
                with T.init():
                    conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = T.float32(0.0)
                conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = conv2d_nchw[v_nn, v_ff, v_yy, v_xx] + pad_temp[v_nn, v_rc, v_yy * T.int64(2) + v_ry, v_xx * T.int64(2) + v_rx] * c_conv_weight[v_ff, v_rc, v_ry, v_rx]

    @T.prim_func(private=True, s_tir=True)
    def max_pool2d(relu: T.Buffer((T.int64(1), T.int64(64), T.int64(28), T.int64(28)), "float32"), pool_max: T.Buffer((T.int64(1), T.int64(64), T.int64(14), T.int64(14)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(64), T.int64(30), T.int64(30)))
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(64), T.int64(30), T.int64(30)):
            with T.sblock("pad_temp"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(relu[v_ax0, v_ax1, v_ax2 - T.int64(1), v_ax3 - T.int64(1)])
                T.writes(pad_temp[v_ax0, v_ax1, v_ax2, v_ax3])
                pad_temp[v_ax0, v_ax1, v_ax2, v_ax3] = T.if_then_else(T.int64(1) <= v_ax2 and v_ax2 < T.int64(29) and T.int64(1) <= v_ax3 and v_ax3 < T.int64(29), relu[v_ax0, v_ax1, v_ax2 - T.int64(1), v_ax3 - T.int64(1)], T.float32(-340282346638528859811704183484516925440.0))
        for ax0, ax1, ax2, ax3, rv0, rv1 in T.grid(T.int64(1), T.int64(64), T.int64(14), T.int64(14), T.int64(3), T.int64(3)):
            with T.sblock("pool_max"):
                v_ax0, v_ax1, v_ax2, v_ax3, v_rv0, v_rv1 = T.axis.remap("SSSSRR", [ax0, ax1, ax2, ax3, rv0, rv1])
                T.reads(pad_temp[v_ax0, v_ax1, v_ax2 * T.int64(2) + v_rv0, v_ax3 * T.int64(2) + v_rv1])
                T.writes(pool_max[v_ax0, v_ax1, v_ax2, v_ax3])
                T.sblock_attr({"schedule_rule": "meta_schedule.pool_max"})
                with T.init():
                    pool_max[v_ax0, v_ax1, v_ax2, v_ax3] = T.float32(-340282346638528859811704183484516925440.0)
                pool_max[v_ax0, v_ax1, v_ax2, v_ax3] = T.max(pool_max[v_ax0, v_ax1, v_ax2, v_ax3], pad_temp[v_ax0, v_ax1, v_ax2 * T.int64(2) + v_rv0, v_ax3 * T.int64(2) + v_rv1])

    @T.prim_func(private=True, s_tir=True)
    def multiply(conv2d: T.Buffer((T.int64(1), T.int64(64), T.int64(28), T.int64(28)), "float32"), c_scale: T.Buffer((T.int64(1), T.int64(64), T.int64(1), T.int64(1)), "float32"), T_multiply: T.Buffer((T.int64(1), T.int64(64), T.int64(28), T.int64(28)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(64), T.int64(28), T.int64(28)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(conv2d[v_ax0, v_ax1, v_ax2, v_ax3], c_scale[v_ax0, v_ax1, T.int64(0), T.int64(0)])
                T.writes(T_multiply[v_ax0, v_ax1, v_ax2, v_ax3])
                T_multiply[v_ax0, v_ax1, v_ax2, v_ax3] = conv2d[v_ax0, v_ax1, v_ax2, v_ax3] * c_scale[v_ax0, v_ax1, T.int64(0), T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def relu(add: T.Buffer((T.int64(1), T.int64(64), T.int64(28), T.int64(28)), "float32"), compute: T.Buffer((T.int64(1), T.int64(64), T.int64(28), T.int64(28)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(64), T.int64(28), T.int64(28)):
            with T.sblock("compute"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(add[v_i0, v_i1, v_i2, v_i3])
                T.writes(compute[v_i0, v_i1, v_i2, v_i3])
                compute[v_i0, v_i1, v_i2, v_i3] = T.max(add[v_i0, v_i1, v_i2, v_i3], T.float32(0.0))

    @R.function
    def main(x: R.Tensor((1, 3, 56, 56), dtype="float32"), c_conv_weight: R.Tensor((64, 3, 7, 7), dtype="float32"), c_scale: R.Tensor((1, 64, 1, 1), dtype="float32"), c_shift: R.Tensor((1, 64, 1, 1), dtype="float32")) -> R.Tensor((1, 64, 14, 14), dtype="float32"):
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            conv2d = R.call_tir(cls.conv2d, (x, c_conv_weight), out_ty=R.Tensor((1, 64, 28, 28), dtype="float32"))
            mul = R.call_tir(cls.multiply, (conv2d, c_scale), out_ty=R.Tensor((1, 64, 28, 28), dtype="float32"))
            add = R.call_tir(cls.add, (mul, c_shift), out_ty=R.Tensor((1, 64, 28, 28), dtype="float32"))
            relu = R.call_tir(cls.relu, (add,), out_ty=R.Tensor((1, 64, 28, 28), dtype="float32"))
            max_pool = R.call_tir(cls.max_pool2d, (relu,), out_ty=R.Tensor((1, 64, 14, 14), dtype="float32"))
            gv: R.Tensor((1, 64, 14, 14), dtype="float32") = max_pool
            R.output(gv)
        return gv
