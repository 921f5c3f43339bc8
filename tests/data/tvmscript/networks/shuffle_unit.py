# reads: yes; shuffle_unit, as TVM 0.27.0.post1 prints it after LegalizeOps
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def add(mul: T.Buffer((T.int64(1), T.int64(58), T.int64(14), T.int64(14)), "float32"), a_shift: T.Buffer((T.int64(1), T.int64(58), T.int64(1), T.int64(1)), "float32"), T_add: T.Buffer((T.int64(1), T.int64(58), T.int64(14), T.int64(14)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(58), T.int64(14), T.int64(14)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(mul[v_ax0, v_ax1, v_ax2, v_ax3], a_shift[v_ax0, v_ax1, T.int64(0), T.int64(0)])
                T.writes(T_add[v_ax0, v_ax1, v_ax2, v_ax3])
                T_add[v_ax0, v_ax1, v_ax2, v_ax3] = mul[v_ax0, v_ax1, v_ax2, v_ax3] + a_shift[v_ax0, v_ax1, T.int64(0), T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def concatenate(split_0: T.Buffer((T.int64(1), T.int64(58), T.int64(14), T.int64(14)), "float32"), relu1: T.Buffer((T.int64(1), T.int64(58), T.int64(14), T.int64(14)), "float32"), T_concat: T.Buffer((T.int64(1), T.int64(116), T.int64(14), T.int64(14)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(116), T.int64(14), T.int64(14)):
            with T.sblock("T_concat"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(relu1[v_ax0, v_ax1 - T.int64(58), v_ax2, v_ax3], split_0[v_ax0, v_ax1, v_ax2, v_ax3])
                T.writes(T_concat[v_ax0, v_ax1, v_ax2, v_ax3])
                T_concat[v_ax0, v_ax1, v_ax2, v_ax3] = T.if_then_else(T.int64(58) <= v_ax1, relu1[v_ax0, v_ax1 - T.int64(58), v_ax2, v_ax3], split_0[v_ax0, v_ax1, v_ax2, v_ax3])

    @T.prim_func(private=True, s_tir=True)
    def conv2d(split_1: T.Buffer((T.int64(1), T.int64(58), T.int64(14), T.int64(14)), "float32"), a_conv_weight: T.Buffer((T.int64(58), T.int64(58), T.int64(1), T.int64(1)), "float32"), conv2d_nchw: T.Buffer((T.int64(1), T.int64(58), T.int64(14), T.int64(14)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(58), T.int64(14), T.int64(14)))
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(58), T.int64(14), T.int64(14)):
            with T.sblock("pad_temp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(split_1[v_i0, v_i1, v_i2, v_i3])
                T.writes(pad_temp[v_i0, v_i1, v_i2, v_i3])
                pad_temp[v_i0, v_i1, v_i2, v_i3] = split_1[v_i0, v_i1, v_i2, v_i3]
        for nn, ff, yy, xx, rc, ry, rx in T.grid(T.int64(1), T.int64(58), T.int64(14), T.int64(14), T.int64(58), T.int64(1), T.int64(1)):
            with T.sblock("conv2d_nchw"):
                v_nn, v_ff, v_yy, v_xx, v_rc, v_ry, v_rx = T.axis.remap("SSSSRRR", [nn, ff, yy, xx, rc, ry, rx])
                T.reads(pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx], a_conv_weight[v_ff, v_rc, v_ry, v_rx])
                T.writes(conv2d_nchw[v_nn, v_ff, v_yy, v_xx])
                with T.init():
                    conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = T.float32(0.0)
                conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = conv2d_nchw[v_nn, v_ff, v_yy, v_xx] + pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx] * a_conv_weight[v_ff, v_rc, v_ry, v_rx]

    @T.prim_func(private=True, s_tir=True)
    def conv2d1(relu: T.Buffer((T.int64(1), T.int64(58), T.int64(14), T.int64(14)), "float32"), b_conv_weight: T.Buffer((T.int64(58), T.int64(1), T.int64(3), T.int64(3)), "float32"), group_conv2d_nchw: T.Buffer((T.int64(1), T.int64(58), T.int64(14), T.int64(14)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(58), T.int64(16), T.int64(16)))
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(58), T.int64(16), T.int64(16)):
            with T.sblock("pad_temp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(relu[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)])
                T.writes(pad_temp[v_i0, v_i1, v_i2, v_i3])
                pad_temp[v_i0, v_i1, v_i2, v_i3] = T.if_then_else(T.int64(1) <= v_i2 and v_i2 < T.int64(15) and T.int64(1) <= v_i3 and v_i3 < T.int64(15), relu[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)], T.float32(0.0))
        for nn, ff, yy, xx, rc, ry, rx in T.grid(T.int64(1), T.int64(58), T.int64(14), T.int64(14), T.int64(1), T.int64(3), T.int64(3)):
            with T.sblock("group_conv2d_nchw"):
                v_nn, v_ff, v_yy, v_xx, v_rc, v_ry, v_rx = T.axis.remap("SSSSRRR", [nn, ff, yy, xx, rc, ry, rx])
                T.reads(pad_temp[v_nn, v_ff + v_rc, v_yy + v_ry, v_xx + v_rx], b_conv_weight[v_ff, v_rc, v_ry, v_rx])
                T.writes(group_conv2d_nchw[v_nn, v_ff, v_yy, v_xx])
                with T.init():
                    group_conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = T.float32(0.0)
                group_conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = group_conv2d_nchw[v_nn, v_ff, v_yy, v_xx] + pad_temp[v_nn, v_ff + v_rc, v_yy + v_ry, v_xx + v_rx] * b_conv_weight[v_ff, v_rc, v_ry, v_rx]

    @T.prim_func(private=True, s_tir=True)
    def multiply(conv2d: T.Buffer((T.int64(1), T.int64(58), T.int64(14), T.int64(14)), "float32"), a_scale: T.Buffer((T.int64(1), T.int64(58), T.int64(1), T.int64(1)), "float32"), T_multiply: T.Buffer((T.int64(1), T.int64(58), T.int64(14), T.int64(14)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(58), T.int64(14), T.int64(14)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(conv2d[v_ax0, v_ax1, v_ax2, v_ax3], a_scale[v_ax0, v_ax1, T.int64(0), T.int64(0)])
                T.writes(T_multiply[v_ax0, v_ax1, v_ax2, v_ax3])
                T_multiply[v_ax0, v_ax1, v_ax2, v_ax3] = conv2d[v_ax0, v_ax1, v_ax2, v_ax3] * a_scale[v_ax0, v_ax1, T.int64(0), T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def relu(add: T.Buffer((T.int64(1), T.int64(58), T.int64(14), T.int64(14)), "float32"), compute: T.Buffer((T.int64(1), T.int64(58), T.int64(14), T.int64(14)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(58), T.int64(14), T.int64(14)):
            with T.sblock("compute"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(add[v_i0, v_i1, v_i2, v_i3])
                T.writes(compute[v_i0, v_i1, v_i2, v_i3])
                compute[v_i0, v_i1, v_i2, v_i3] = T.max(add[v_i0, v_i1, v_i2, v_i3], T.float32(0.0))

    @T.prim_func(private=True, s_tir=True)
    def reshape(concat: T.Buffer((T.int64(1), T.int64(116), T.int64(14), T.int64(14)), "float32"), T_reshape: T.Buffer((T.int64(1), T.int64(2), T.int64(58), T.int64(14), T.int64(14)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3, ax4 in T.grid(T.int64(1), T.int64(2), T.int64(58), T.int64(14), T.int64(14)):
            with T.sblock("T_reshape"):
                v_ax0, v_ax1, v_ax2, v_ax3, v_ax4 = T.axis.remap("SSSSS", [ax0, ax1, ax2, ax3, ax4])
                T.reads(concat[T.int64(0), (v_ax1 * T.int64(58) + (v_ax4 // T.int64(14) + v_ax3) // T.int64(14) + v_ax2) % T.int64(116), (v_ax4 // T.int64(14) + v_ax3) % T.int64(14), v_ax4 % T.int64(14)])
                T.writes(T_reshape[v_ax0, v_ax1, v_ax2, v_ax3, v_ax4])
                T_reshape[v_ax0, v_ax1, v_ax2, v_ax3, v_ax4] = concat[T.int64(0), (v_ax1 * T.int64(58) + (v_ax4 // T.int64(14) + v_ax3) // T.int64(14) + v_ax2) % T.int64(116), (v_ax4 // T.int64(14) + v_ax3) % T.int64(14), v_ax4 % T.int64(14)]

    @T.prim_func(private=True, s_tir=True)
    def reshape1(permute_dims: T.Buffer((T.int64(1), T.int64(58), T.int64(2), T.int64(14), T.int64(14)), "float32"), T_reshape: T.Buffer((T.int64(1), T.int64(116), T.int64(14), T.int64(14)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(116), T.int64(14), T.int64(14)):
            with T.sblock("T_reshape"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(permute_dims[T.int64(0), ((v_ax3 // T.int64(14) + v_ax2) // T.int64(14) + v_ax1) % T.int64(116) // T.int64(2), ((v_ax3 // T.int64(14) + v_ax2) // T.int64(14) + v_ax1) % T.int64(2), (v_ax3 // T.int64(14) + v_ax2) % T.int64(14), v_ax3 % T.int64(14)])
                T.writes(T_reshape[v_ax0, v_ax1, v_ax2, v_ax3])
                T_reshape[v_ax0, v_ax1, v_ax2, v_ax3] = permute_dims[T.int64(0), ((v_ax3 // T.int64(14) + v_ax2) // T.int64(14) + v_ax1) % T.int64(116) // T.int64(2), ((v_ax3 // T.int64(14) + v_ax2) // T.int64(14) + v_ax1) % T.int64(2), (v_ax3 // T.int64(14) + v_ax2) % T.int64(14), v_ax3 % T.int64(14)]

    @T.prim_func(private=True, s_tir=True)
    def split(x: T.Buffer((T.int64(1), T.int64(116), T.int64(14), T.int64(14)), "float32"), T_split_sections: T.Buffer((T.int64(1), T.int64(58), T.int64(14), T.int64(14)), "float32"), T_split_sections_1: T.Buffer((T.int64(1), T.int64(58), T.int64(14), T.int64(14)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(58), T.int64(14), T.int64(14)):
            with T.sblock("T_split_sections"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(x[v_ax0, v_ax1, v_ax2, v_ax3])
                T.writes(T_split_sections[v_ax0, v_ax1, v_ax2, v_ax3])
                T_split_sections[v_ax0, v_ax1, v_ax2, v_ax3] = x[v_ax0, v_ax1, v_ax2, v_ax3]
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(58), T.int64(14), T.int64(14)):
            with T.sblock("T_split_sections_1"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(x[v_ax0, v_ax1 + T.int64(58), v_ax2, v_ax3])
                T.writes(T_split_sections_1[v_ax0, v_ax1, v_ax2, v_ax3])
                T_split_sections_1[v_ax0, v_ax1, v_ax2, v_ax3] = x[v_ax0, v_ax1 + T.int64(58), v_ax2, v_ax3]

    @T.prim_func(private=True, s_tir=True)
    def transpose(reshape: T.Buffer((T.int64(1), T.int64(2), T.int64(58), T.int64(14), T.int64(14)), "float32"), T_transpose: T.Buffer((T.int64(1), T.int64(58), T.int64(2), T.int64(14), T.int64(14)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3, ax4 in T.grid(T.int64(1), T.int64(58), T.int64(2), T.int64(14), T.int64(14)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1, v_ax2, v_ax3, v_ax4 = T.axis.remap("SSSSS", [ax0, ax1, ax2, ax3, ax4])
                T.reads(reshape[v_ax0, v_ax2, v_ax1, v_ax3, v_ax4])
                T.writes(T_transpose[v_ax0, v_ax1, v_ax2, v_ax3, v_ax4])
                T_transpose[v_ax0, v_ax1, v_ax2, v_ax3, v_ax4] = reshape[v_ax0, v_ax2, v_ax1, v_ax3, v_ax4]

    @R.function
    def main(x: R.Tensor((1, 116, 14, 14), dtype="float32"), a_conv_weight: R.Tensor((58, 58, 1, 1), dtype="float32"), a_scale: R.Tensor((1, 58, 1, 1), dtype="float32"), a_shift: R.Tensor((1, 58, 1, 1), dtype="float32"), b_conv_weight: R.Tensor((58, 1, 3, 3), dtype="float32"), b_scale: R.Tensor((1, 58, 1, 1), dtype="float32"), b_shift: R.Tensor((1, 58, 1, 1), dtype="float32"), c_conv_weight: R.Tensor((58, 58, 1, 1), dtype="float32"), c_scale: R.Tensor((1, 58, 1, 1), dtype="float32"), c_shift: R.Tensor((1, 58, 1, 1), dtype="float32")) -> R.Tensor((1, 116, 14, 14), dtype="float32"):
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            split = R.call_tir(cls.split, (x,), out_ty=[R.Tensor((1, 58, 14, 14), dtype="float32"), R.Tensor((1, 58, 14, 14), dtype="float32")])
            split_0: R.Tensor((1, 58, 14, 14), dtype="float32") = split[0]
            split_1: R.Tensor((1, 58, 14, 14), dtype="float32") = split[1]
            conv2d = R.call_tir(cls.conv2d, (split_1, a_conv_weight), out_ty=R.Tensor((1, 58, 14, 14), dtype="float32"))
            mul = R.call_tir(cls.multiply, (conv2d, a_scale), out_ty=R.Tensor((1, 58, 14, 14), dtype="float32"))
            add = R.call_tir(cls.add, (mul, a_shift), out_ty=R.Tensor((1, 58, 14, 14), dtype="float32"))
            relu = R.call_tir(cls.relu, (add,), out_ty=R.Tensor((1, 58, 14, 14), dtype="float32"))
            conv2d1 = R.call_tir(cls.conv2d1, (relu, b_conv_weight), out_ty=R.Tensor((1, 58, 14, 14), dtype="float32"))
            mul1 = R.call_tir(cls.multiply, (conv2d1, b_scale), out_ty=R.Tensor((1, 58, 14, 14), dtype="float32"))
            add1 = R.call_tir(cls.add, (mul1, b_shift), out_ty=R.Tensor((1, 58, 14, 14), dtype="float32"))
            conv2d2 = R.call_tir(cls.conv2d, (add1, c_conv_weight), out_ty=R.Tensor((1, 58, 14, 14), dtype="float32"))
            mul2 = R.call_tir(cls.multiply, (conv2d2, c_scale), out_ty=R.Tensor((1, 58, 14, 14), dtype="float32"))
            add2 = R.call_tir(cls.add, (mul2, c_shift), out_ty=R.Tensor((1, 58, 14, 14), dtype="float32"))
            relu1 = R.call_tir(cls.relu, (add2,), out_ty=R.Tensor((1, 58, 14, 14), dtype="float32"))
            concat = R.call_tir(cls.concatenate, (split_0, relu1), out_ty=R.Tensor((1, 116, 14, 14), dtype="float32"))
            reshape = R.call_tir(cls.reshape, (concat,), out_ty=R.Tensor((1, 2, 58, 14, 14), dtype="float32"))
            permute_dims = R.call_tir(cls.transpose, (reshape,), out_ty=R.Tensor((1, 58, 2, 14, 14), dtype="float32"))
            reshape1 = R.call_tir(cls.reshape1, (permute_dims,), out_ty=R.Tensor((1, 116, 14, 14), dtype="float32"))
            gv: R.Tensor((1, 116, 14, 14), dtype="float32") = reshape1
            R.output(gv)
        return gv
