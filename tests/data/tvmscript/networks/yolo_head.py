# reads: yes; yolo_head, as TVM 0.27.0.post1 prints it after LegalizeOps
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def add(mul: T.Buffer((T.int64(1), T.int64(85), T.int64(13), T.int64(13)), "float32"), a_shift: T.Buffer((T.int64(1), T.int64(85), T.int64(1), T.int64(1)), "float32"), T_add: T.Buffer((T.int64(1), T.int64(85), T.int64(13), T.int64(13)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(85), T.int64(13), T.int64(13)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(mul[v_ax0, v_ax1, v_ax2, v_ax3], a_shift[v_ax0, v_ax1, T.int64(0), T.int64(0)])
                T.writes(T_add[v_ax0, v_ax1, v_ax2, v_ax3])
                T_add[v_ax0, v_ax1, v_ax2, v_ax3] = mul[v_ax0, v_ax1, v_ax2, v_ax3] + a_shift[v_ax0, v_ax1, T.int64(0), T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def add1(lv: T.Buffer((T.int64(1), T.int64(255), T.int64(13), T.int64(13)), "float32"), lv1: T.Buffer((T.int64(1), T.int64(255), T.int64(1), T.int64(1)), "float32"), T_add: T.Buffer((T.int64(1), T.int64(255), T.int64(13), T.int64(13)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(255), T.int64(13), T.int64(13)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(lv[v_ax0, v_ax1, v_ax2, v_ax3], lv1[v_ax0, v_ax1, T.int64(0), T.int64(0)])
                T.writes(T_add[v_ax0, v_ax1, v_ax2, v_ax3])
                T_add[v_ax0, v_ax1, v_ax2, v_ax3] = lv[v_ax0, v_ax1, v_ax2, v_ax3] + lv1[v_ax0, v_ax1, T.int64(0), T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def conv2d(x: T.Buffer((T.int64(1), T.int64(85), T.int64(13), T.int64(13)), "float32"), a_conv_weight: T.Buffer((T.int64(85), T.int64(85), T.int64(3), T.int64(3)), "float32"), conv2d_nchw: T.Buffer((T.int64(1), T.int64(85), T.int64(13), T.int64(13)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(85), T.int64(15), T.int64(15)))
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(85), T.int64(15), T.int64(15)):
            with T.sblock("pad_temp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(x[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)])
                T.writes(pad_temp[v_i0, v_i1, v_i2, v_i3])
                pad_temp[v_i0, v_i1, v_i2, v_i3] = T.if_then_else(T.int64(1) <= v_i2 and v_i2 < T.int64(14) and T.int64(1) <= v_i3 and v_i3 < T.int64(14), x[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)], T.float32(0.0))
        for nn, ff, yy, xx, rc, ry, rx in T.grid(T.int64(1), T.int64(85), T.int64(13), T.int64(13), T.int64(85), T.int64(3), T.int64(3)):
            with T.sblock("conv2d_nchw"):
                v_nn, v_ff, v_yy, v_xx, v_rc, v_ry, v_rx = T.axis.remap("SSSSRRR", [nn, ff, yy, xx, rc, ry, rx])
                T.reads(pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx], a_conv_weight[v_ff, v_rc, v_ry, v_rx])
                T.writes(conv2d_nchw[v_nn, v_ff, v_yy, v_xx])
                with T.init():
                    conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = T.float32(0.0)
                conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = conv2d_nchw[v_nn, v_ff, v_yy, v_xx] + pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx] * a_conv_weight[v_ff, v_rc, v_ry, v_rx]

    @T.prim_func(private=True, s_tir=True)
    def conv2d1(silu: T.Buffer((T.int64(1), T.int64(85), T.int64(13), T.int64(13)), "float32"), b_weight: T.Buffer((T.int64(255), T.int64(85), T.int64(1), T.int64(1)), "float32"), conv2d_nchw: T.Buffer((T.int64(1), T.int64(255), T.int64(13), T.int64(13)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(85), T.int64(13), T.int64(13)))
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(85), T.int64(13), T.int64(13)):
            with T.sblock("pad_temp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(silu[v_i0, v_i1, v_i2, v_i3])
                T.writes(pad_temp[v_i0, v_i1, v_i2, v_i3])
                pad_temp[v_i0, v_i1, v_i2, v_i3] = silu[v_i0, v_i1, v_i2, v_i3]
        for nn, ff, yy, xx, rc, ry, rx in T.grid(T.int64(1), T.int64(255), T.int64(13), T.int64(13), T.int64(85), T.int64(1), T.int64(1)):
            with T.sblock("conv2d_nchw"):
                v_nn, v_ff, v_yy, v_xx, v_rc, v_ry, v_rx = T.axis.remap("SSSSRRR", [nn, ff, yy, xx, rc, ry, rx])
                T.reads(pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx], b_weight[v_ff, v_rc, v_ry, v_rx])
                T.writes(conv2d_nchw[v_nn, v_ff, v_yy, v_xx])
                with T.init():
                    conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = T.float32(0.0)
                conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = conv2d_nchw[v_nn, v_ff, v_yy, v_xx] + pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx] * b_weight[v_ff, v_rc, v_ry, v_rx]

    @T.prim_func(private=True, s_tir=True)
    def multiply(conv2d: T.Buffer((T.int64(1), T.int64(85), T.int64(13), T.int64(13)), "float32"), a_scale: T.Buffer((T.int64(1), T.int64(85), T.int64(1), T.int64(1)), "float32"), T_multiply: T.Buffer((T.int64(1), T.int64(85), T.int64(13), T.int64(13)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(85), T.int64(13), T.int64(13)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(conv2d[v_ax0, v_ax1, v_ax2, v_ax3], a_scale[v_ax0, v_ax1, T.int64(0), T.int64(0)])
                T.writes(T_multiply[v_ax0, v_ax1, v_ax2, v_ax3])
                T_multiply[v_ax0, v_ax1, v_ax2, v_ax3] = conv2d[v_ax0, v_ax1, v_ax2, v_ax3] * a_scale[v_ax0, v_ax1, T.int64(0), T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def reshape(b_bias: T.Buffer((T.int64(255),), "float32"), T_reshape: T.Buffer((T.int64(1), T.int64(255), T.int64(1), T.int64(1)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(255), T.int64(1), T.int64(1)):
            with T.sblock("T_reshape"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(b_bias[(v_ax1 + v_ax2 + v_ax3) % T.int64(255)])
                T.writes(T_reshape[v_ax0, v_ax1, v_ax2, v_ax3])
                T_reshape[v_ax0, v_ax1, v_ax2, v_ax3] = b_bias[(v_ax1 + v_ax2 + v_ax3) % T.int64(255)]

    @T.prim_func(private=True, s_tir=True)
    def reshape1(conv2d1: T.Buffer((T.int64(1), T.int64(255), T.int64(13), T.int64(13)), "float32"), T_reshape: T.Buffer((T.int64(1), T.int64(3), T.int64(85), T.int64(13), T.int64(13)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3, ax4 in T.grid(T.int64(1), T.int64(3), T.int64(85), T.int64(13), T.int64(13)):
            with T.sblock("T_reshape"):
                v_ax0, v_ax1, v_ax2, v_ax3, v_ax4 = T.axis.remap("SSSSS", [ax0, ax1, ax2, ax3, ax4])
                T.reads(conv2d1[T.int64(0), (v_ax1 * T.int64(85) + (v_ax4 // T.int64(13) + v_ax3) // T.int64(13) + v_ax2) % T.int64(255), (v_ax4 // T.int64(13) + v_ax3) % T.int64(13), v_ax4 % T.int64(13)])
                T.writes(T_reshape[v_ax0, v_ax1, v_ax2, v_ax3, v_ax4])
                T_reshape[v_ax0, v_ax1, v_ax2, v_ax3, v_ax4] = conv2d1[T.int64(0), (v_ax1 * T.int64(85) + (v_ax4 // T.int64(13) + v_ax3) // T.int64(13) + v_ax2) % T.int64(255), (v_ax4 // T.int64(13) + v_ax3) % T.int64(13), v_ax4 % T.int64(13)]

    @T.prim_func(private=True, s_tir=True)
    def silu(add: T.Buffer((T.int64(1), T.int64(85), T.int64(13), T.int64(13)), "float32"), T_multiply: T.Buffer((T.int64(1), T.int64(85), T.int64(13), T.int64(13)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        compute = T.sblock_alloc_buffer((T.int64(1), T.int64(85), T.int64(13), T.int64(13)))
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(85), T.int64(13), T.int64(13)):
            with T.sblock("compute"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(add[v_i0, v_i1, v_i2, v_i3])
                T.writes(compute[v_i0, v_i1, v_i2, v_i3])
                compute[v_i0, v_i1, v_i2, v_i3] = T.sigmoid(add[v_i0, v_i1, v_i2, v_i3])
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(85), T.int64(13), T.int64(13)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(add[v_ax0, v_ax1, v_ax2, v_ax3], compute[v_ax0, v_ax1, v_ax2, v_ax3])
                T.writes(T_multiply[v_ax0, v_ax1, v_ax2, v_ax3])
                T_multiply[v_ax0, v_ax1, v_ax2, v_ax3] = add[v_ax0, v_ax1, v_ax2, v_ax3] * compute[v_ax0, v_ax1, v_ax2, v_ax3]

    @T.prim_func(private=True, s_tir=True)
    def tir_sigmoid(permute_dims: T.Buffer((T.int64(1), T.int64(3), T.int64(13), T.int64(13), T.int64(85)), "float32"), compute: T.Buffer((T.int64(1), T.int64(3), T.int64(13), T.int64(13), T.int64(85)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, i3, i4 in T.grid(T.int64(1), T.int64(3), T.int64(13), T.int64(13), T.int64(85)):
            with T.sblock("compute"):
                v_i0, v_i1, v_i2, v_i3, v_i4 = T.axis.remap("SSSSS", [i0, i1, i2, i3, i4])
                T.reads(permute_dims[v_i0, v_i1, v_i2, v_i3, v_i4])
                T.writes(compute[v_i0, v_i1, v_i2, v_i3, v_i4])
                compute[v_i0, v_i1, v_i2, v_i3, v_i4] = T.sigmoid(permute_dims[v_i0, v_i1, v_i2, v_i3, v_i4])

    @T.prim_func(private=True, s_tir=True)
    def transpose(reshape: T.Buffer((T.int64(1), T.int64(3), T.int64(85), T.int64(13), T.int64(13)), "float32"), T_transpose: T.Buffer((T.int64(1), T.int64(3), T.int64(13), T.int64(13), T.int64(85)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3, ax4 in T.grid(T.int64(1), T.int64(3), T.int64(13), T.int64(13), T.int64(85)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1, v_ax2, v_ax3, v_ax4 = T.axis.remap("SSSSS", [ax0, ax1, ax2, ax3, ax4])
                T.reads(reshape[v_ax0, v_ax1, v_ax4, v_ax2, v_ax3])
                T.writes(T_transpose[v_ax0, v_ax1, v_ax2, v_ax3, v_ax4])
                T_transpose[v_ax0, v_ax1, v_ax2, v_ax3, v_ax4] = reshape[v_ax0, v_ax1, v_ax4, v_ax2, v_ax3]

    @R.function
    def main(x: R.Tensor((1, 85, 13, 13), dtype="float32"), a_conv_weight: R.Tensor((85, 85, 3, 3), dtype="float32"), a_scale: R.Tensor((1, 85, 1, 1), dtype="float32"), a_shift: R.Tensor((1, 85, 1, 1), dtype="float32"), b_weight: R.Tensor((255, 85, 1, 1), dtype="float32"), b_bias: R.Tensor((255,), dtype="float32")) -> R.Tensor((1, 3, 13, 13, 85), dtype="float32"):
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            conv2d = R.call_tir(cls.conv2d, (x, a_conv_weight), out_ty=R.Tensor((1, 85, 13, 13), dtype="float32"))
            mul = R.call_tir(cls.multiply, (conv2d, a_scale), out_ty=R.Tensor((1, 85, 13, 13), dtype="float32"))
            add = R.call_tir(cls.add, (mul, a_shift), out_ty=R.Tensor((1, 85, 13, 13), dtype="float32"))
            silu = R.call_tir(cls.silu, (add,), out_ty=R.Tensor((1, 85, 13, 13), dtype="float32"))
            lv = R.call_tir(cls.conv2d1, (silu, b_weight), out_ty=R.Tensor((1, 255, 13, 13), dtype="float32"))
            lv1 = R.call_tir(cls.reshape, (b_bias,), out_ty=R.Tensor((1, 255, 1, 1), dtype="float32"))
            conv2d1 = R.call_tir(cls.add1, (lv, lv1), out_ty=R.Tensor((1, 255, 13, 13), dtype="float32"))
            reshape = R.call_tir(cls.reshape1, (conv2d1,), out_ty=R.Tensor((1, 3, 85, 13, 13), dtype="float32"))
            permute_dims = R.call_tir(cls.transpose, (reshape,), out_ty=R.Tensor((1, 3, 13, 13, 85), dtype="float32"))
            sigmoid = R.call_tir(cls.tir_sigmoid, (permute_dims,), out_ty=R.Tensor((1, 3, 13, 13, 85), dtype="float32"))
            gv: R.Tensor((1, 3, 13, 13, 85), dtype="float32") = sigmoid
            R.output(gv)
        return gv
