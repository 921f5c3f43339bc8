# reads: yes; resnet18, as TVM 0.27.0.post1 prints it after LegalizeOps
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def add(mul: T.Buffer((T.int64(1), T.int64(64), T.int64(112), T.int64(112)), "float32"), stem_c_shift: T.Buffer((T.int64(1), T.int64(64), T.int64(1), T.int64(1)), "float32"), T_add: T.Buffer((T.int64(1), T.int64(64), T.int64(112), T.int64(112)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(64), T.int64(112), T.int64(112)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(mul[v_ax0, v_ax1, v_ax2, v_ax3], stem_c_shift[v_ax0, v_ax1, T.int64(0), T.int64(0)])
                T.writes(T_add[v_ax0, v_ax1, v_ax2, v_ax3])
                T_add[v_ax0, v_ax1, v_ax2, v_ax3] = mul[v_ax0, v_ax1, v_ax2, v_ax3] + stem_c_shift[v_ax0, v_ax1, T.int64(0), T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def add1(mul1: T.Buffer((T.int64(1), T.int64(64), T.int64(56), T.int64(56)), "float32"), blocks_0_a_shift: T.Buffer((T.int64(1), T.int64(64), T.int64(1), T.int64(1)), "float32"), T_add: T.Buffer((T.int64(1), T.int64(64), T.int64(56), T.int64(56)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(64), T.int64(56), T.int64(56)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(mul1[v_ax0, v_ax1, v_ax2, v_ax3], blocks_0_a_shift[v_ax0, v_ax1, T.int64(0), T.int64(0)])
                T.writes(T_add[v_ax0, v_ax1, v_ax2, v_ax3])
                T_add[v_ax0, v_ax1, v_ax2, v_ax3] = mul1[v_ax0, v_ax1, v_ax2, v_ax3] + blocks_0_a_shift[v_ax0, v_ax1, T.int64(0), T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def add2(add2: T.Buffer((T.int64(1), T.int64(64), T.int64(56), T.int64(56)), "float32"), max_pool: T.Buffer((T.int64(1), T.int64(64), T.int64(56), T.int64(56)), "float32"), T_add: T.Buffer((T.int64(1), T.int64(64), T.int64(56), T.int64(56)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(64), T.int64(56), T.int64(56)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(add2[v_ax0, v_ax1, v_ax2, v_ax3], max_pool[v_ax0, v_ax1, v_ax2, v_ax3])
                T.writes(T_add[v_ax0, v_ax1, v_ax2, v_ax3])
                T_add[v_ax0, v_ax1, v_ax2, v_ax3] = add2[v_ax0, v_ax1, v_ax2, v_ax3] + max_pool[v_ax0, v_ax1, v_ax2, v_ax3]

    @T.prim_func(private=True, s_tir=True)
    def add3(mul5: T.Buffer((T.int64(1), T.int64(128), T.int64(28), T.int64(28)), "float32"), blocks_2_a_shift: T.Buffer((T.int64(1), T.int64(128), T.int64(1), T.int64(1)), "float32"), T_add: T.Buffer((T.int64(1), T.int64(128), T.int64(28), T.int64(28)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(128), T.int64(28), T.int64(28)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(mul5[v_ax0, v_ax1, v_ax2, v_ax3], blocks_2_a_shift[v_ax0, v_ax1, T.int64(0), T.int64(0)])
                T.writes(T_add[v_ax0, v_ax1, v_ax2, v_ax3])
                T_add[v_ax0, v_ax1, v_ax2, v_ax3] = mul5[v_ax0, v_ax1, v_ax2, v_ax3] + blocks_2_a_shift[v_ax0, v_ax1, T.int64(0), T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def add4(add8: T.Buffer((T.int64(1), T.int64(128), T.int64(28), T.int64(28)), "float32"), add9: T.Buffer((T.int64(1), T.int64(128), T.int64(28), T.int64(28)), "float32"), T_add: T.Buffer((T.int64(1), T.int64(128), T.int64(28), T.int64(28)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(128), T.int64(28), T.int64(28)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(add8[v_ax0, v_ax1, v_ax2, v_ax3], add9[v_ax0, v_ax1, v_ax2, v_ax3])
                T.writes(T_add[v_ax0, v_ax1, v_ax2, v_ax3])
                T_add[v_ax0, v_ax1, v_ax2, v_ax3] = add8[v_ax0, v_ax1, v_ax2, v_ax3] + add9[v_ax0, v_ax1, v_ax2, v_ax3]

    @T.prim_func(private=True, s_tir=True)
    def add5(mul10: T.Buffer((T.int64(1), T.int64(256), T.int64(14), T.int64(14)), "float32"), blocks_4_a_shift: T.Buffer((T.int64(1), T.int64(256), T.int64(1), T.int64(1)), "float32"), T_add: T.Buffer((T.int64(1), T.int64(256), T.int64(14), T.int64(14)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(256), T.int64(14), T.int64(14)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(mul10[v_ax0, v_ax1, v_ax2, v_ax3], blocks_4_a_shift[v_ax0, v_ax1, T.int64(0), T.int64(0)])
                T.writes(T_add[v_ax0, v_ax1, v_ax2, v_ax3])
                T_add[v_ax0, v_ax1, v_ax2, v_ax3] = mul10[v_ax0, v_ax1, v_ax2, v_ax3] + blocks_4_a_shift[v_ax0, v_ax1, T.int64(0), T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def add6(add15: T.Buffer((T.int64(1), T.int64(256), T.int64(14), T.int64(14)), "float32"), add16: T.Buffer((T.int64(1), T.int64(256), T.int64(14), T.int64(14)), "float32"), T_add: T.Buffer((T.int64(1), T.int64(256), T.int64(14), T.int64(14)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(256), T.int64(14), T.int64(14)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(add15[v_ax0, v_ax1, v_ax2, v_ax3], add16[v_ax0, v_ax1, v_ax2, v_ax3])
                T.writes(T_add[v_ax0, v_ax1, v_ax2, v_ax3])
                T_add[v_ax0, v_ax1, v_ax2, v_ax3] = add15[v_ax0, v_ax1, v_ax2, v_ax3] + add16[v_ax0, v_ax1, v_ax2, v_ax3]

    @T.prim_func(private=True, s_tir=True)
    def add7(mul15: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32"), blocks_6_a_shift: T.Buffer((T.int64(1), T.int64(512), T.int64(1), T.int64(1)), "float32"), T_add: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(512), T.int64(7), T.int64(7)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(mul15[v_ax0, v_ax1, v_ax2, v_ax3], blocks_6_a_shift[v_ax0, v_ax1, T.int64(0), T.int64(0)])
                T.writes(T_add[v_ax0, v_ax1, v_ax2, v_ax3])
                T_add[v_ax0, v_ax1, v_ax2, v_ax3] = mul15[v_ax0, v_ax1, v_ax2, v_ax3] + blocks_6_a_shift[v_ax0, v_ax1, T.int64(0), T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def add8(add22: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32"), add23: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32"), T_add: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(512), T.int64(7), T.int64(7)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(add22[v_ax0, v_ax1, v_ax2, v_ax3], add23[v_ax0, v_ax1, v_ax2, v_ax3])
                T.writes(T_add[v_ax0, v_ax1, v_ax2, v_ax3])
                T_add[v_ax0, v_ax1, v_ax2, v_ax3] = add22[v_ax0, v_ax1, v_ax2, v_ax3] + add23[v_ax0, v_ax1, v_ax2, v_ax3]

    @T.prim_func(private=True, s_tir=True)
    def add9(matmul: T.Buffer((T.int64(1), T.int64(1000)), "float32"), f_bias: T.Buffer((T.int64(1000),), "float32"), T_add: T.Buffer((T.int64(1), T.int64(1000)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(T.int64(1), T.int64(1000)):
            with T.sblock("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(matmul[v_ax0, v_ax1], f_bias[v_ax1])
                T.writes(T_add[v_ax0, v_ax1])
                T_add[v_ax0, v_ax1] = matmul[v_ax0, v_ax1] + f_bias[v_ax1]

    @T.prim_func(private=True, s_tir=True)
    def conv2d(x: T.Buffer((T.int64(1), T.int64(3), T.int64(224), T.int64(224)), "float32"), stem_c_conv_weight: T.Buffer((T.int64(64), T.int64(3), T.int64(7), T.int64(7)), "float32"), conv2d_nchw: T.Buffer((T.int64(1), T.int64(64), T.int64(112), T.int64(112)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(3), T.int64(230), T.int64(230)))
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(3), T.int64(230), T.int64(230)):
            with T.sblock("pad_temp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(x[v_i0, v_i1, v_i2 - T.int64(3), v_i3 - T.int64(3)])
                T.writes(pad_temp[v_i0, v_i1, v_i2, v_i3])
                pad_temp[v_i0, v_i1, v_i2, v_i3] = T.if_then_else(T.int64(3) <= v_i2 and v_i2 < T.int64(227) and T.int64(3) <= v_i3 and v_i3 < T.int64(227), x[v_i0, v_i1, v_i2 - T.int64(3), v_i3 - T.int64(3)], T.float32(0.0))
        for nn, ff, yy, xx, rc, ry, rx in T.grid(T.int64(1), T.int64(64), T.int64(112), T.int64(112), T.int64(3), T.int64(7), T.int64(7)):
            with T.sblock("conv2d_nchw"):
                v_nn, v_ff, v_yy, v_xx, v_rc, v_ry, v_rx = T.axis.remap("SSSSRRR", [nn, ff, yy, xx, rc, ry, rx])
                T.reads(pad_temp[v_nn, v_rc, v_yy * T.int64(2) + v_ry, v_xx * T.int64(2) + v_rx], stem_c_conv_weight[v_ff, v_rc, v_ry, v_rx])
                T.writes(conv2d_nchw[v_nn, v_ff, v_yy, v_xx])
                with T.init():
                    conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = T.float32(0.0)
                conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = conv2d_nchw[v_nn, v_ff, v_yy, v_xx] + pad_temp[v_nn, v_rc, v_yy * T.int64(2) + v_ry, v_xx * T.int64(2) + v_rx] * stem_c_conv_weight[v_ff, v_rc, v_ry, v_rx]

    @T.prim_func(private=True, s_tir=True)
    def conv2d1(max_pool: T.Buffer((T.int64(1), T.int64(64), T.int64(56), T.int64(56)), "float32"), blocks_0_a_conv_weight: T.Buffer((T.int64(64), T.int64(64), T.int64(3), T.int64(3)), "float32"), conv2d_nchw: T.Buffer((T.int64(1), T.int64(64), T.int64(56), T.int64(56)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(64), T.int64(58), T.int64(58)))
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(64), T.int64(58), T.int64(58)):
            with T.sblock("pad_temp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(max_pool[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)])
                T.writes(pad_temp[v_i0, v_i1, v_i2, v_i3])
                pad_temp[v_i0, v_i1, v_i2, v_i3] = T.if_then_else(T.int64(1) <= v_i2 and v_i2 < T.int64(57) and T.int64(1) <= v_i3 and v_i3 < T.int64(57), max_pool[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)], T.float32(0.0))
        for nn, ff, yy, xx, rc, ry, rx in T.grid(T.int64(1), T.int64(64), T.int64(56), T.int64(56), T.int64(64), T.int64(3), T.int64(3)):
            with T.sblock("conv2d_nchw"):
                v_nn, v_ff, v_yy, v_xx, v_rc, v_ry, v_rx = T.axis.remap("SSSSRRR", [nn, ff, yy, xx, rc, ry, rx])
                T.reads(pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx], blocks_0_a_conv_weight[v_ff, v_rc, v_ry, v_rx])
                T.writes(conv2d_nchw[v_nn, v_ff, v_yy, v_xx])
                with T.init():
                    conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = T.float32(0.0)
                conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = conv2d_nchw[v_nn, v_ff, v_yy, v_xx] + pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx] * blocks_0_a_conv_weight[v_ff, v_rc, v_ry, v_rx]

    @T.prim_func(private=True, s_tir=True)
    def conv2d10(relu12: T.Buffer((T.int64(1), T.int64(256), T.int64(14), T.int64(14)), "float32"), blocks_6_short_conv_weight: T.Buffer((T.int64(512), T.int64(256), T.int64(1), T.int64(1)), "float32"), conv2d_nchw: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(256), T.int64(14), T.int64(14)))
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(256), T.int64(14), T.int64(14)):
            with T.sblock("pad_temp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(relu12[v_i0, v_i1, v_i2, v_i3])
                T.writes(pad_temp[v_i0, v_i1, v_i2, v_i3])
                pad_temp[v_i0, v_i1, v_i2, v_i3] = relu12[v_i0, v_i1, v_i2, v_i3]
        for nn, ff, yy, xx, rc, ry, rx in T.grid(T.int64(1), T.int64(512), T.int64(7), T.int64(7), T.int64(256), T.int64(1), T.int64(1)):
            with T.sblock("conv2d_nchw"):
                v_nn, v_ff, v_yy, v_xx, v_rc, v_ry, v_rx = T.axis.remap("SSSSRRR", [nn, ff, yy, xx, rc, ry, rx])
                T.reads(pad_temp[v_nn, v_rc, v_yy * T.int64(2) + v_ry, v_xx * T.int64(2) + v_rx], blocks_6_short_conv_weight[v_ff, v_rc, v_ry, v_rx])
                T.writes(conv2d_nchw[v_nn, v_ff, v_yy, v_xx])
                with T.init():
                    conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = T.float32(0.0)
                conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = conv2d_nchw[v_nn, v_ff, v_yy, v_xx] + pad_temp[v_nn, v_rc, v_yy * T.int64(2) + v_ry, v_xx * T.int64(2) + v_rx] * blocks_6_short_conv_weight[v_ff, v_rc, v_ry, v_rx]

    @T.prim_func(private=True, s_tir=True)
    def conv2d2(relu4: T.Buffer((T.int64(1), T.int64(64), T.int64(56), T.int64(56)), "float32"), blocks_2_a_conv_weight: T.Buffer((T.int64(128), T.int64(64), T.int64(3), T.int64(3)), "float32"), conv2d_nchw: T.Buffer((T.int64(1), T.int64(128), T.int64(28), T.int64(28)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(64), T.int64(58), T.int64(58)))
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(64), T.int64(58), T.int64(58)):
            with T.sblock("pad_temp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(relu4[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)])
                T.writes(pad_temp[v_i0, v_i1, v_i2, v_i3])
                pad_temp[v_i0, v_i1, v_i2, v_i3] = T.if_then_else(T.int64(1) <= v_i2 and v_i2 < T.int64(57) and T.int64(1) <= v_i3 and v_i3 < T.int64(57), relu4[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)], T.float32(0.0))
        for nn, ff, yy, xx, rc, ry, rx in T.grid(T.int64(1), T.int64(128), T.int64(28), T.int64(28), T.int64(64), T.int64(3), T.int64(3)):
            with T.sblock("conv2d_nchw"):
                v_nn, v_ff, v_yy, v_xx, v_rc, v_ry, v_rx = T.axis.remap("SSSSRRR", [nn, ff, yy, xx, rc, ry, rx])
                T.reads(pad_temp[v_nn, v_rc, v_yy * T.int64(2) + v_ry, v_xx * T.int64(2) + v_rx], blocks_2_a_conv_weight[v_ff, v_rc, v_ry, v_rx])
                T.writes(conv2d_nchw[v_nn, v_ff, v_yy, v_xx])
                with T.init():
                    conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = T.float32(0.0)
                conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = conv2d_nchw[v_nn, v_ff, v_yy, v_xx] + pad_temp[v_nn, v_rc, v_yy * T.int64(2) + v_ry, v_xx * T.int64(2) + v_rx] * blocks_2_a_conv_weight[v_ff, v_rc, v_ry, v_rx]

    @T.prim_func(private=True, s_tir=True)
    def conv2d3(relu5: T.Buffer((T.int64(1), T.int64(128), T.int64(28), T.int64(28)), "float32"), blocks_2_b_conv_weight: T.Buffer((T.int64(128), T.int64(128), T.int64(3), T.int64(3)), "float32"), conv2d_nchw: T.Buffer((T.int64(1), T.int64(128), T.int64(28), T.int64(28)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(128), T.int64(30), T.int64(30)))
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(128), T.int64(30), T.int64(30)):
            with T.sblock("pad_temp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(relu5[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)])
                T.writes(pad_temp[v_i0, v_i1, v_i2, v_i3])
                pad_temp[v_i0, v_i1, v_i2, v_i3] = T.if_then_else(T.int64(1) <= v_i2 and v_i2 < T.int64(29) and T.int64(1) <= v_i3 and v_i3 < T.int64(29), relu5[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)], T.float32(0.0))
        for nn, ff, yy, xx, rc, ry, rx in T.grid(T.int64(1), T.int64(128), T.int64(28), T.int64(28), T.int64(128), T.int64(3), T.int64(3)):
            with T.sblock("conv2d_nchw"):
                v_nn, v_ff, v_yy, v_xx, v_rc, v_ry, v_rx = T.axis.remap("SSSSRRR", [nn, ff, yy, xx, rc, ry, rx])
                T.reads(pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx], blocks_2_b_conv_weight[v_ff, v_rc, v_ry, v_rx])
                T.writes(conv2d_nchw[v_nn, v_ff, v_yy, v_xx])
                with T.init():
                    conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = T.float32(0.0)
                conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = conv2d_nchw[v_nn, v_ff, v_yy, v_xx] + pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx] * blocks_2_b_conv_weight[v_ff, v_rc, v_ry, v_rx]

    @T.prim_func(private=True, s_tir=True)
    def conv2d4(relu4: T.Buffer((T.int64(1), T.int64(64), T.int64(56), T.int64(56)), "float32"), blocks_2_short_conv_weight: T.Buffer((T.int64(128), T.int64(64), T.int64(1), T.int64(1)), "float32"), conv2d_nchw: T.Buffer((T.int64(1), T.int64(128), T.int64(28), T.int64(28)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(64), T.int64(56), T.int64(56)))
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(64), T.int64(56), T.int64(56)):
            with T.sblock("pad_temp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(relu4[v_i0, v_i1, v_i2, v_i3])
                T.writes(pad_temp[v_i0, v_i1, v_i2, v_i3])
                pad_temp[v_i0, v_i1, v_i2, v_i3] = relu4[v_i0, v_i1, v_i2, v_i3]
        for nn, ff, yy, xx, rc, ry, rx in T.grid(T.int64(1), T.int64(128), T.int64(28), T.int64(28), T.int64(64), T.int64(1), T.int64(1)):
            with T.sblock("conv2d_nchw"):
                v_nn, v_ff, v_yy, v_xx, v_rc, v_ry, v_rx = T.axis.remap("SSSSRRR", [nn, ff, yy, xx, rc, ry, rx])
                T.reads(pad_temp[v_nn, v_rc, v_yy * T.int64(2) + v_ry, v_xx * T.int64(2) + v_rx], blocks_2_short_conv_weight[v_ff, v_rc, v_ry, v_rx])
                T.writes(conv2d_nchw[v_nn, v_ff, v_yy, v_xx])
                with T.init():
                    conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = T.float32(0.0)
                conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = conv2d_nchw[v_nn, v_ff, v_yy, v_xx] + pad_temp[v_nn, v_rc, v_yy * T.int64(2) + v_ry, v_xx * T.int64(2) + v_rx] * blocks_2_short_conv_weight[v_ff, v_rc, v_ry, v_rx]

    @T.prim_func(private=True, s_tir=True)
    def conv2d5(relu8: T.Buffer((T.int64(1), T.int64(128), T.int64(28), T.int64(28)), "float32"), blocks_4_a_conv_weight: T.Buffer((T.int64(256), T.int64(128), T.int64(3), T.int64(3)), "float32"), conv2d_nchw: T.Buffer((T.int64(1), T.int64(256), T.int64(14), T.int64(14)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(128), T.int64(30), T.int64(30)))
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(128), T.int64(30), T.int64(30)):
            with T.sblock("pad_temp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(relu8[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)])
                T.writes(pad_temp[v_i0, v_i1, v_i2, v_i3])
                pad_temp[v_i0, v_i1, v_i2, v_i3] = T.if_then_else(T.int64(1) <= v_i2 and v_i2 < T.int64(29) and T.int64(1) <= v_i3 and v_i3 < T.int64(29), relu8[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)], T.float32(0.0))
        for nn, ff, yy, xx, rc, ry, rx in T.grid(T.int64(1), T.int64(256), T.int64(14), T.int64(14), T.int64(128), T.int64(3), T.int64(3)):
            with T.sblock("conv2d_nchw"):
                v_nn, v_ff, v_yy, v_xx, v_rc, v_ry, v_rx = T.axis.remap("SSSSRRR", [nn, ff, yy, xx, rc, ry, rx])
                T.reads(pad_temp[v_nn, v_rc, v_yy * T.int64(2) + v_ry, v_xx * T.int64(2) + v_rx], blocks_4_a_conv_weight[v_ff, v_rc, v_ry, v_rx])
                T.writes(conv2d_nchw[v_nn, v_ff, v_yy, v_xx])
                with T.init():
                    conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = T.float32(0.0)
                conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = conv2d_nchw[v_nn, v_ff, v_yy, v_xx] + pad_temp[v_nn, v_rc, v_yy * T.int64(2) + v_ry, v_xx * T.int64(2) + v_rx] * blocks_4_a_conv_weight[v_ff, v_rc, v_ry, v_rx]

    @T.prim_func(private=True, s_tir=True)
    def conv2d6(relu9: T.Buffer((T.int64(1), T.int64(256), T.int64(14), T.int64(14)), "float32"), blocks_4_b_conv_weight: T.Buffer((T.int64(256), T.int64(256), T.int64(3), T.int64(3)), "float32"), conv2d_nchw: T.Buffer((T.int64(1), T.int64(256), T.int64(14), T.int64(14)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(256), T.int64(16), T.int64(16)))
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(256), T.int64(16), T.int64(16)):
            with T.sblock("pad_temp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(relu9[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)])
                T.writes(pad_temp[v_i0, v_i1, v_i2, v_i3])
                pad_temp[v_i0, v_i1, v_i2, v_i3] = T.if_then_else(T.int64(1) <= v_i2 and v_i2 < T.int64(15) and T.int64(1) <= v_i3 and v_i3 < T.int64(15), relu9[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)], T.float32(0.0))
        for nn, ff, yy, xx, rc, ry, rx in T.grid(T.int64(1), T.int64(256), T.int64(14), T.int64(14), T.int64(256), T.int64(3), T.int64(3)):
            with T.sblock("conv2d_nchw"):
                v_nn, v_ff, v_yy, v_xx, v_rc, v_ry, v_rx = T.axis.remap("SSSSRRR", [nn, ff, yy, xx, rc, ry, rx])
                T.reads(pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx], blocks_4_b_conv_weight[v_ff, v_rc, v_ry, v_rx])
                T.writes(conv2d_nchw[v_nn, v_ff, v_yy, v_xx])
                with T.init():
                    conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = T.float32(0.0)
                conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = conv2d_nchw[v_nn, v_ff, v_yy, v_xx] + pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx] * blocks_4_b_conv_weight[v_ff, v_rc, v_ry, v_rx]

    @T.prim_func(private=True, s_tir=True)
    def conv2d7(relu8: T.Buffer((T.int64(1), T.int64(128), T.int64(28), T.int64(28)), "float32"), blocks_4_short_conv_weight: T.Buffer((T.int64(256), T.int64(128), T.int64(1), T.int64(1)), "float32"), conv2d_nchw: T.Buffer((T.int64(1), T.int64(256), T.int64(14), T.int64(14)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(128), T.int64(28), T.int64(28)))
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(128), T.int64(28), T.int64(28)):
            with T.sblock("pad_temp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(relu8[v_i0, v_i1, v_i2, v_i3])
                T.writes(pad_temp[v_i0, v_i1, v_i2, v_i3])
                pad_temp[v_i0, v_i1, v_i2, v_i3] = relu8[v_i0, v_i1, v_i2, v_i3]
        for nn, ff, yy, xx, rc, ry, rx in T.grid(T.int64(1), T.int64(256), T.int64(14), T.int64(14), T.int64(128), T.int64(1), T.int64(1)):
            with T.sblock("conv2d_nchw"):
                v_nn, v_ff, v_yy, v_xx, v_rc, v_ry, v_rx = T.axis.remap("SSSSRRR", [nn, ff, yy, xx, rc, ry, rx])
                T.reads(pad_temp[v_nn, v_rc, v_yy * T.int64(2) + v_ry, v_xx * T.int64(2) + v_rx], blocks_4_short_conv_weight[v_ff, v_rc, v_ry, v_rx])
                T.writes(conv2d_nchw[v_nn, v_ff, v_yy, v_xx])
                with T.init():
                    conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = T.float32(0.0)
                conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = conv2d_nchw[v_nn, v_ff, v_yy, v_xx] + pad_temp[v_nn, v_rc, v_yy * T.int64(2) + v_ry, v_xx * T.int64(2) + v_rx] * blocks_4_short_conv_weight[v_ff, v_rc, v_ry, v_rx]

    @T.prim_func(private=True, s_tir=True)
    def conv2d8(relu12: T.Buffer((T.int64(1), T.int64(256), T.int64(14), T.int64(14)), "float32"), blocks_6_a_conv_weight: T.Buffer((T.int64(512), T.int64(256), T.int64(3), T.int64(3)), "float32"), conv2d_nchw: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(256), T.int64(16), T.int64(16)))
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(256), T.int64(16), T.int64(16)):
            with T.sblock("pad_temp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(relu12[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)])
                T.writes(pad_temp[v_i0, v_i1, v_i2, v_i3])
                pad_temp[v_i0, v_i1, v_i2, v_i3] = T.if_then_else(T.int64(1) <= v_i2 and v_i2 < T.int64(15) and T.int64(1) <= v_i3 and v_i3 < T.int64(15), relu12[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)], T.float32(0.0))
        for nn, ff, yy, xx, rc, ry, rx in T.grid(T.int64(1), T.int64(512), T.int64(7), T.int64(7), T.int64(256), T.int64(3), T.int64(3)):
            with T.sblock("conv2d_nchw"):
                v_nn, v_ff, v_yy, v_xx, v_rc, v_ry, v_rx = T.axis.remap("SSSSRRR", [nn, ff, yy, xx, rc, ry, rx])
                T.reads(pad_temp[v_nn, v_rc, v_yy * T.int64(2) + v_ry, v_xx * T.int64(2) + v_rx], blocks_6_a_conv_weight[v_ff, v_rc, v_ry, v_rx])
                T.writes(conv2d_nchw[v_nn, v_ff, v_yy, v_xx])
                with T.init():
                    conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = T.float32(0.0)
                conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = conv2d_nchw[v_nn, v_ff, v_yy, v_xx] + pad_temp[v_nn, v_rc, v_yy * T.int64(2) + v_ry, v_xx * T.int64(2) + v_rx] * blocks_6_a_conv_weight[v_ff, v_rc, v_ry, v_rx]

    @T.prim_func(private=True, s_tir=True)
    def conv2d9(relu13: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32"), blocks_6_b_conv_weight: T.Buffer((T.int64(512), T.int64(512), T.int64(3), T.int64(3)), "float32"), conv2d_nchw: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(512), T.int64(9), T.int64(9)))
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(512), T.int64(9), T.int64(9)):
            with T.sblock("pad_temp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(relu13[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)])
                T.writes(pad_temp[v_i0, v_i1, v_i2, v_i3])
                pad_temp[v_i0, v_i1, v_i2, v_i3] = T.if_then_else(T.int64(1) <= v_i2 and v_i2 < T.int64(8) and T.int64(1) <= v_i3 and v_i3 < T.int64(8), relu13[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)], T.float32(0.0))
        for nn, ff, yy, xx, rc, ry, rx in T.grid(T.int64(1), T.int64(512), T.int64(7), T.int64(7), T.int64(512), T.int64(3), T.int64(3)):
            with T.sblock("conv2d_nchw"):
                v_nn, v_ff, v_yy, v_xx, v_rc, v_ry, v_rx = T.axis.remap("SSSSRRR", [nn, ff, yy, xx, rc, ry, rx])
                T.reads(pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx], blocks_6_b_conv_weight[v_ff, v_rc, v_ry, v_rx])
                T.writes(conv2d_nchw[v_nn, v_ff, v_yy, v_xx])
                with T.init():
                    conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = T.float32(0.0)
                conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = conv2d_nchw[v_nn, v_ff, v_yy, v_xx] + pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx] * blocks_6_b_conv_weight[v_ff, v_rc, v_ry, v_rx]

    @T.prim_func(private=True, s_tir=True)
    def matmul(mean: T.Buffer((T.int64(1), T.int64(512)), "float32"), permute_dims: T.Buffer((T.int64(512), T.int64(1000)), "float32"), matmul: T.Buffer((T.int64(1), T.int64(1000)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, k in T.grid(T.int64(1), T.int64(1000), T.int64(512)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_k = T.axis.remap("SSR", [i0, i1, k])
                T.reads(mean[v_i0, v_k], permute_dims[v_k, v_i1])
                T.writes(matmul[v_i0, v_i1])
                with T.init():
                    matmul[v_i0, v_i1] = T.float32(0.0)
                matmul[v_i0, v_i1] = matmul[v_i0, v_i1] + mean[v_i0, v_k] * permute_dims[v_k, v_i1]

    @T.prim_func(private=True, s_tir=True)
    def max_pool2d(relu: T.Buffer((T.int64(1), T.int64(64), T.int64(112), T.int64(112)), "float32"), pool_max: T.Buffer((T.int64(1), T.int64(64), T.int64(56), T.int64(56)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(64), T.int64(114), T.int64(114)))
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(64), T.int64(114), T.int64(114)):
            with T.sblock("pad_temp"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(relu[v_ax0, v_ax1, v_ax2 - T.int64(1), v_ax3 - T.int64(1)])
                T.writes(pad_temp[v_ax0, v_ax1, v_ax2, v_ax3])
                pad_temp[v_ax0, v_ax1, v_ax2, v_ax3] = T.if_then_else(T.int64(1) <= v_ax2 and v_ax2 < T.int64(113) and T.int64(1) <= v_ax3 and v_ax3 < T.int64(113), relu[v_ax0, v_ax1, v_ax2 - T.int64(1), v_ax3 - T.int64(1)], T.float32(-340282346638528859811704183484516925440.0))
        for ax0, ax1, ax2, ax3, rv0, rv1 in T.grid(T.int64(1), T.int64(64), T.int64(56), T.int64(56), T.int64(3), T.int64(3)):
            with T.sblock("pool_max"):
                v_ax0, v_ax1, v_ax2, v_ax3, v_rv0, v_rv1 = T.axis.remap("SSSSRR", [ax0, ax1, ax2, ax3, rv0, rv1])
                T.reads(pad_temp[v_ax0, v_ax1, v_ax2 * T.int64(2) + v_rv0, v_ax3 * T.int64(2) + v_rv1])
                T.writes(pool_max[v_ax0, v_ax1, v_ax2, v_ax3])
                T.sblock_attr({"schedule_rule": "meta_schedule.pool_max"})
                with T.init():
                    pool_max[v_ax0, v_ax1, v_ax2, v_ax3] = T.float32(-340282346638528859811704183484516925440.0)
                pool_max[v_ax0, v_ax1, v_ax2, v_ax3] = T.max(pool_max[v_ax0, v_ax1, v_ax2, v_ax3], pad_temp[v_ax0, v_ax1, v_ax2 * T.int64(2) + v_rv0, v_ax3 * T.int64(2) + v_rv1])

    @T.prim_func(private=True, s_tir=True)
    def mean(relu16: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32"), T_divide: T.Buffer((T.int64(1), T.int64(512)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        relu16_red = T.sblock_alloc_buffer((T.int64(1), T.int64(512)))
        for ax0, ax1, k2, k3 in T.grid(T.int64(1), T.int64(512), T.int64(7), T.int64(7)):
            with T.sblock("relu16_red"):
                v_ax0, v_ax1, v_k2, v_k3 = T.axis.remap("SSRR", [ax0, ax1, k2, k3])
                T.reads(relu16[v_ax0, v_ax1, v_k2, v_k3])
                T.writes(relu16_red[v_ax0, v_ax1])
                with T.init():
                    relu16_red[v_ax0, v_ax1] = T.float32(0.0)
                relu16_red[v_ax0, v_ax1] = relu16_red[v_ax0, v_ax1] + relu16[v_ax0, v_ax1, v_k2, v_k3]
        for ax0, ax1 in T.grid(T.int64(1), T.int64(512)):
            with T.sblock("T_divide"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(relu16_red[v_ax0, v_ax1])
                T.writes(T_divide[v_ax0, v_ax1])
                T_divide[v_ax0, v_ax1] = relu16_red[v_ax0, v_ax1] / T.float32(49.0)

    @T.prim_func(private=True, s_tir=True)
    def multiply(conv2d: T.Buffer((T.int64(1), T.int64(64), T.int64(112), T.int64(112)), "float32"), stem_c_scale: T.Buffer((T.int64(1), T.int64(64), T.int64(1), T.int64(1)), "float32"), T_multiply: T.Buffer((T.int64(1), T.int64(64), T.int64(112), T.int64(112)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(64), T.int64(112), T.int64(112)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(conv2d[v_ax0, v_ax1, v_ax2, v_ax3], stem_c_scale[v_ax0, v_ax1, T.int64(0), T.int64(0)])
                T.writes(T_multiply[v_ax0, v_ax1, v_ax2, v_ax3])
                T_multiply[v_ax0, v_ax1, v_ax2, v_ax3] = conv2d[v_ax0, v_ax1, v_ax2, v_ax3] * stem_c_scale[v_ax0, v_ax1, T.int64(0), T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def multiply1(conv2d1: T.Buffer((T.int64(1), T.int64(64), T.int64(56), T.int64(56)), "float32"), blocks_0_a_scale: T.Buffer((T.int64(1), T.int64(64), T.int64(1), T.int64(1)), "float32"), T_multiply: T.Buffer((T.int64(1), T.int64(64), T.int64(56), T.int64(56)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(64), T.int64(56), T.int64(56)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(conv2d1[v_ax0, v_ax1, v_ax2, v_ax3], blocks_0_a_scale[v_ax0, v_ax1, T.int64(0), T.int64(0)])
                T.writes(T_multiply[v_ax0, v_ax1, v_ax2, v_ax3])
                T_multiply[v_ax0, v_ax1, v_ax2, v_ax3] = conv2d1[v_ax0, v_ax1, v_ax2, v_ax3] * blocks_0_a_scale[v_ax0, v_ax1, T.int64(0), T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def multiply2(conv2d5: T.Buffer((T.int64(1), T.int64(128), T.int64(28), T.int64(28)), "float32"), blocks_2_a_scale: T.Buffer((T.int64(1), T.int64(128), T.int64(1), T.int64(1)), "float32"), T_multiply: T.Buffer((T.int64(1), T.int64(128), T.int64(28), T.int64(28)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(128), T.int64(28), T.int64(28)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(conv2d5[v_ax0, v_ax1, v_ax2, v_ax3], blocks_2_a_scale[v_ax0, v_ax1, T.int64(0), T.int64(0)])
                T.writes(T_multiply[v_ax0, v_ax1, v_ax2, v_ax3])
                T_multiply[v_ax0, v_ax1, v_ax2, v_ax3] = conv2d5[v_ax0, v_ax1, v_ax2, v_ax3] * blocks_2_a_scale[v_ax0, v_ax1, T.int64(0), T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def multiply3(conv2d10: T.Buffer((T.int64(1), T.int64(256), T.int64(14), T.int64(14)), "float32"), blocks_4_a_scale: T.Buffer((T.int64(1), T.int64(256), T.int64(1), T.int64(1)), "float32"), T_multiply: T.Buffer((T.int64(1), T.int64(256), T.int64(14), T.int64(14)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(256), T.int64(14), T.int64(14)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(conv2d10[v_ax0, v_ax1, v_ax2, v_ax3], blocks_4_a_scale[v_ax0, v_ax1, T.int64(0), T.int64(0)])
                T.writes(T_multiply[v_ax0, v_ax1, v_ax2, v_ax3])
                T_multiply[v_ax0, v_ax1, v_ax2, v_ax3] = conv2d10[v_ax0, v_ax1, v_ax2, v_ax3] * blocks_4_a_scale[v_ax0, v_ax1, T.int64(0), T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def multiply4(conv2d15: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32"), blocks_6_a_scale: T.Buffer((T.int64(1), T.int64(512), T.int64(1), T.int64(1)), "float32"), T_multiply: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(512), T.int64(7), T.int64(7)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(conv2d15[v_ax0, v_ax1, v_ax2, v_ax3], blocks_6_a_scale[v_ax0, v_ax1, T.int64(0), T.int64(0)])
                T.writes(T_multiply[v_ax0, v_ax1, v_ax2, v_ax3])
                T_multiply[v_ax0, v_ax1, v_ax2, v_ax3] = conv2d15[v_ax0, v_ax1, v_ax2, v_ax3] * blocks_6_a_scale[v_ax0, v_ax1, T.int64(0), T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def relu(add: T.Buffer((T.int64(1), T.int64(64), T.int64(112), T.int64(112)), "float32"), compute: T.Buffer((T.int64(1), T.int64(64), T.int64(112), T.int64(112)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(64), T.int64(112), T.int64(112)):
            with T.sblock("compute"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(add[v_i0, v_i1, v_i2, v_i3])
                T.writes(compute[v_i0, v_i1, v_i2, v_i3])
                compute[v_i0, v_i1, v_i2, v_i3] = T.max(add[v_i0, v_i1, v_i2, v_i3], T.float32(0.0))

    @T.prim_func(private=True, s_tir=True)
    def relu1(add1: T.Buffer((T.int64(1), T.int64(64), T.int64(56), T.int64(56)), "float32"), compute: T.Buffer((T.int64(1), T.int64(64), T.int64(56), T.int64(56)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(64), T.int64(56), T.int64(56)):
            with T.sblock("compute"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(add1[v_i0, v_i1, v_i2, v_i3])
                T.writes(compute[v_i0, v_i1, v_i2, v_i3])
                compute[v_i0, v_i1, v_i2, v_i3] = T.max(add1[v_i0, v_i1, v_i2, v_i3], T.float32(0.0))

    @T.prim_func(private=True, s_tir=True)
    def relu2(add7: T.Buffer((T.int64(1), T.int64(128), T.int64(28), T.int64(28)), "float32"), compute: T.Buffer((T.int64(1), T.int64(128), T.int64(28), T.int64(28)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(128), T.int64(28), T.int64(28)):
            with T.sblock("compute"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(add7[v_i0, v_i1, v_i2, v_i3])
                T.writes(compute[v_i0, v_i1, v_i2, v_i3])
                compute[v_i0, v_i1, v_i2, v_i3] = T.max(add7[v_i0, v_i1, v_i2, v_i3], T.float32(0.0))

    @T.prim_func(private=True, s_tir=True)
    def relu3(add14: T.Buffer((T.int64(1), T.int64(256), T.int64(14), T.int64(14)), "float32"), compute: T.Buffer((T.int64(1), T.int64(256), T.int64(14), T.int64(14)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(256), T.int64(14), T.int64(14)):
            with T.sblock("compute"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(add14[v_i0, v_i1, v_i2, v_i3])
                T.writes(compute[v_i0, v_i1, v_i2, v_i3])
                compute[v_i0, v_i1, v_i2, v_i3] = T.max(add14[v_i0, v_i1, v_i2, v_i3], T.float32(0.0))

    @T.prim_func(private=True, s_tir=True)
    def relu4(add21: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32"), compute: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(512), T.int64(7), T.int64(7)):
            with T.sblock("compute"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(add21[v_i0, v_i1, v_i2, v_i3])
                T.writes(compute[v_i0, v_i1, v_i2, v_i3])
                compute[v_i0, v_i1, v_i2, v_i3] = T.max(add21[v_i0, v_i1, v_i2, v_i3], T.float32(0.0))

    @T.prim_func(private=True, s_tir=True)
    def transpose(f_weight: T.Buffer((T.int64(1000), T.int64(512)), "float32"), T_transpose: T.Buffer((T.int64(512), T.int64(1000)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(T.int64(512), T.int64(1000)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(f_weight[v_ax1, v_ax0])
                T.writes(T_transpose[v_ax0, v_ax1])
                T_transpose[v_ax0, v_ax1] = f_weight[v_ax1, v_ax0]

    @R.function
    def main(x: R.Tensor((1, 3, 224, 224), dtype="float32"), stem_c_conv_weight: R.Tensor((64, 3, 7, 7), dtype="float32"), stem_c_scale: R.Tensor((1, 64, 1, 1), dtype="float32"), stem_c_shift: R.Tensor((1, 64, 1, 1), dtype="float32"), blocks_0_a_conv_weight: R.Tensor((64, 64, 3, 3), dtype="float32"), blocks_0_a_scale: R.Tensor((1, 64, 1, 1), dtype="float32"), blocks_0_a_shift: R.Tensor((1, 64, 1, 1), dtype="float32"), blocks_0_b_conv_weight: R.Tensor((64, 64, 3, 3), dtype="float32"), blocks_0_b_scale: R.Tensor((1, 64, 1, 1), dtype="float32"), blocks_0_b_shift: R.Tensor((1, 64, 1, 1), dtype="float32"), blocks_1_a_conv_weight: R.Tensor((64, 64, 3, 3), dtype="float32"), blocks_1_a_scale: R.Tensor((1, 64, 1, 1), dtype="float32"), blocks_1_a_shift: R.Tensor((1, 64, 1, 1), dtype="float32"), blocks_1_b_conv_weight: R.Tensor((64, 64, 3, 3), dtype="float32"), blocks_1_b_scale: R.Tensor((1, 64, 1, 1), dtype="float32"), blocks_1_b_shift: R.Tensor((1, 64, 1, 1), dtype="float32"), blocks_2_a_conv_weight: R.Tensor((128, 64, 3, 3), dtype="float32"), blocks_2_a_scale: R.Tensor((1, 128, 1, 1), dtype="float32"), blocks_2_a_shift: R.Tensor((1, 128, 1, 1), dtype="float32"), blocks_2_b_conv_weight: R.Tensor((128, 128, 3, 3), dtype="float32"), blocks_2_b_scale: R.Tensor((1, 128, 1, 1), dtype="float32"), blocks_2_b_shift: R.Tensor((1, 128, 1, 1), dtype="float32"), blocks_2_short_conv_weight: R.Tensor((128, 64, 1, 1), dtype="float32"), blocks_2_short_scale: R.Tensor((1, 128, 1, 1), dtype="float32"), blocks_2_short_shift: R.Tensor((1, 128, 1, 1), dtype="float32"), blocks_3_a_conv_weight: R.Tensor((128, 128, 3, 3), dtype="float32"), blocks_3_a_scale: R.Tensor((1, 128, 1, 1), dtype="float32"), blocks_3_a_shift: R.Tensor((1, 128, 1, 1), dtype="float32"), blocks_3_b_conv_weight: R.Tensor((128, 128, 3, 3), dtype="float32"), blocks_3_b_scale: R.Tensor((1, 128, 1, 1), dtype="float32"), blocks_3_b_shift: R.Tensor((1, 128, 1, 1), dtype="float32"), blocks_4_a_conv_weight: R.Tensor((256, 128, 3, 3), dtype="float32"), blocks_4_a_scale: R.Tensor((1, 256, 1, 1), dtype="float32"), blocks_4_a_shift: R.Tensor((1, 256, 1, 1), dtype="float32"), blocks_4_b_conv_weight: R.Tensor((256, 256, 3, 3), dtype="float32"), blocks_4_b_scale: R.Tensor((1, 256, 1, 1), dtype="float32"), blocks_4_b_shift: R.Tensor((1, 256, 1, 1), dtype="float32"), blocks_4_short_conv_weight: R.Tensor((256, 128, 1, 1), dtype="float32"), blocks_4_short_scale: R.Tensor((1, 256, 1, 1), dtype="float32"), blocks_4_short_shift: R.Tensor((1, 256, 1, 1), dtype="float32"), blocks_5_a_conv_weight: R.Tensor((256, 256, 3, 3), dtype="float32"), blocks_5_a_scale: R.Tensor((1, 256, 1, 1), dtype="float32"), blocks_5_a_shift: R.Tensor((1, 256, 1, 1), dtype="float32"), blocks_5_b_conv_weight: R.Tensor((256, 256, 3, 3), dtype="float32"), blocks_5_b_scale: R.Tensor((1, 256, 1, 1), dtype="float32"), blocks_5_b_shift: R.Tensor((1, 256, 1, 1), dtype="float32"), blocks_6_a_conv_weight: R.Tensor((512, 256, 3, 3), dtype="float32"), blocks_6_a_scale: R.Tensor((1, 512, 1, 1), dtype="float32"), blocks_6_a_shift: R.Tensor((1, 512, 1, 1), dtype="float32"), blocks_6_b_conv_weight: R.Tensor((512, 512, 3, 3), dtype="float32"), blocks_6_b_scale: R.Tensor((1, 512, 1, 1), dtype="float32"), blocks_6_b_shift: R.Tensor((1, 512, 1, 1), dtype="float32"), blocks_6_short_conv_weight: R.Tensor((512, 256, 1, 1), dtype="float32"), blocks_6_short_scale: R.Tensor((1, 512, 1, 1), dtype="float32"), blocks_6_short_shift: R.Tensor((1, 512, 1, 1), dtype="float32"), blocks_7_a_conv_weight: R.Tensor((512, 512, 3, 3), dtype="float32"), blocks_7_a_scale: R.Tensor((1, 512, 1, 1), dtype="float32"), blocks_7_a_shift: R.Tensor((1, 512, 1, 1), dtype="float32"), blocks_7_b_conv_weight: R.Tensor((512, 512, 3, 3), dtype="float32"), blocks_7_b_scale: R.Tensor((1, 512, 1, 1), dtype="float32"), blocks_7_b_shift: R.Tensor((1, 512, 1, 1), dtype="float32"), f_weight: R.Tensor((1000, 512), dtype="float32"), f_bias: R.Tensor((1000,), dtype="float32")) -> R.Tensor((1, 1000), dtype="float32"):
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            conv2d = R.call_tir(cls.conv2d, (x, stem_c_conv_weight), out_ty=R.Tensor((1, 64, 112, 112), dtype="float32"))
            mul = R.call_tir(cls.multiply, (conv2d, stem_c_scale), out_ty=R.Tensor((1, 64, 112, 112), dtype="float32"))
            add = R.call_tir(cls.add, (mul, stem_c_shift), out_ty=R.Tensor((1, 64, 112, 112), dtype="float32"))
            relu = R.call_tir(cls.relu, (add,), out_ty=R.Tensor((1, 64, 112, 112), dtype="float32"))
            max_pool = R.call_tir(cls.max_pool2d, (relu,), out_ty=R.Tensor((1, 64, 56, 56), dtype="float32"))
            conv2d1 = R.call_tir(cls.conv2d1, (max_pool, blocks_0_a_conv_weight), out_ty=R.Tensor((1, 64, 56, 56), dtype="float32"))
            mul1 = R.call_tir(cls.multiply1, (conv2d1, blocks_0_a_scale), out_ty=R.Tensor((1, 64, 56, 56), dtype="float32"))
            add1 = R.call_tir(cls.add1, (mul1, blocks_0_a_shift), out_ty=R.Tensor((1, 64, 56, 56), dtype="float32"))
            relu1 = R.call_tir(cls.relu1, (add1,), out_ty=R.Tensor((1, 64, 56, 56), dtype="float32"))
            conv2d2 = R.call_tir(cls.conv2d1, (relu1, blocks_0_b_conv_weight), out_ty=R.Tensor((1, 64, 56, 56), dtype="float32"))
            mul2 = R.call_tir(cls.multiply1, (conv2d2, blocks_0_b_scale), out_ty=R.Tensor((1, 64, 56, 56), dtype="float32"))
            add2 = R.call_tir(cls.add1, (mul2, blocks_0_b_shift), out_ty=R.Tensor((1, 64, 56, 56), dtype="float32"))
            add3 = R.call_tir(cls.add2, (add2, max_pool), out_ty=R.Tensor((1, 64, 56, 56), dtype="float32"))
            relu2 = R.call_tir(cls.relu1, (add3,), out_ty=R.Tensor((1, 64, 56, 56), dtype="float32"))
            conv2d3 = R.call_tir(cls.conv2d1, (relu2, blocks_1_a_conv_weight), out_ty=R.Tensor((1, 64, 56, 56), dtype="float32"))
            mul3 = R.call_tir(cls.multiply1, (conv2d3, blocks_1_a_scale), out_ty=R.Tensor((1, 64, 56, 56), dtype="float32"))
            add4 = R.call_tir(cls.add1, (mul3, blocks_1_a_shift), out_ty=R.Tensor((1, 64, 56, 56), dtype="float32"))
            relu3 = R.call_tir(cls.relu1, (add4,), out_ty=R.Tensor((1, 64, 56, 56), dtype="float32"))
            conv2d4 = R.call_tir(cls.conv2d1, (relu3, blocks_1_b_conv_weight), out_ty=R.Tensor((1, 64, 56, 56), dtype="float32"))
            mul4 = R.call_tir(cls.multiply1, (conv2d4, blocks_1_b_scale), out_ty=R.Tensor((1, 64, 56, 56), dtype="float32"))
            add5 = R.call_tir(cls.add1, (mul4, blocks_1_b_shift), out_ty=R.Tensor((1, 64, 56, 56), dtype="float32"))
            add6 = R.call_tir(cls.add2, (add5, relu2), out_ty=R.Tensor((1, 64, 56, 56), dtype="float32"))
            relu4 = R.call_tir(cls.relu1, (add6,), out_ty=R.Tensor((1, 64, 56, 56), dtype="float32"))
            conv2d5 = R.call_tir(cls.conv2d2, (relu4, blocks_2_a_conv_weight), out_ty=R.Tensor((1, 128, 28, 28), dtype="float32"))
            mul5 = R.call_tir(cls.multiply2, (conv2d5, blocks_2_a_scale), out_ty=R.Tensor((1, 128, 28, 28), dtype="float32"))
            add7 = R.call_tir(cls.add3, (mul5, blocks_2_a_shift), out_ty=R.Tensor((1, 128, 28, 28), dtype="float32"))
            relu5 = R.call_tir(cls.relu2, (add7,), out_ty=R.Tensor((1, 128, 28, 28), dtype="float32"))
            conv2d6 = R.call_tir(cls.conv2d3, (relu5, blocks_2_b_conv_weight), out_ty=R.Tensor((1, 128, 28, 28), dtype="float32"))
            mul6 = R.call_tir(cls.multiply2, (conv2d6, blocks_2_b_scale), out_ty=R.Tensor((1, 128, 28, 28), dtype="float32"))
            add8 = R.call_tir(cls.add3, (mul6, blocks_2_b_shift), out_ty=R.Tensor((1, 128, 28, 28), dtype="float32"))
            conv2d7 = R.call_tir(cls.conv2d4, (relu4, blocks_2_short_conv_weight), out_ty=R.Tensor((1, 128, 28, 28), dtype="float32"))
            mul7 = R.call_tir(cls.multiply2, (conv2d7, blocks_2_short_scale), out_ty=R.Tensor((1, 128, 28, 28), dtype="float32"))
            add9 = R.call_tir(cls.add3, (mul7, blocks_2_short_shift), out_ty=R.Tensor((1, 128, 28, 28), dtype="float32"))
            add10 = R.call_tir(cls.add4, (add8, add9), out_ty=R.Tensor((1, 128, 28, 28), dtype="float32"))
            relu6 = R.call_tir(cls.relu2, (add10,), out_ty=R.Tensor((1, 128, 28, 28), dtype="float32"))
            conv2d8 = R.call_tir(cls.conv2d3, (relu6, blocks_3_a_conv_weight), out_ty=R.Tensor((1, 128, 28, 28), dtype="float32"))
            mul8 = R.call_tir(cls.multiply2, (conv2d8, blocks_3_a_scale), out_ty=R.Tensor((1, 128, 28, 28), dtype="float32"))
            add11 = R.call_tir(cls.add3, (mul8, blocks_3_a_shift), out_ty=R.Tensor((1, 128, 28, 28), dtype="float32"))
            relu7 = R.call_tir(cls.relu2, (add11,), out_ty=R.Tensor((1, 128, 28, 28), dtype="float32"))
            conv2d9 = R.call_tir(cls.conv2d3, (relu7, blocks_3_b_conv_weight), out_ty=R.Tensor((1, 128, 28, 28), dtype="float32"))
            mul9 = R.call_tir(cls.multiply2, (conv2d9, blocks_3_b_scale), out_ty=R.Tensor((1, 128, 28, 28), dtype="float32"))
            add12 = R.call_tir(cls.add3, (mul9, blocks_3_b_shift), out_ty=R.Tensor((1, 128, 28, 28), dtype="float32"))
            add13 = R.call_tir(cls.add4, (add12, relu6), out_ty=R.Tensor((1, 128, 28, 28), dtype="float32"))
            relu8 = R.call_tir(cls.relu2, (add13,), out_ty=R.Tensor((1, 128, 28, 28), dtype="float32"))
            conv2d10 = R.call_tir(cls.conv2d5, (relu8, blocks_4_a_conv_weight), out_ty=R.Tensor((1, 256, 14, 14), dtype="float32"))
            mul10 = R.call_tir(cls.multiply3, (conv2d10, blocks_4_a_scale), out_ty=R.Tensor((1, 256, 14, 14), dtype="float32"))
            add14 = R.call_tir(cls.add5, (mul10, blocks_4_a_shift), out_ty=R.Tensor((1, 256, 14, 14), dtype="float32"))
            relu9 = R.call_tir(cls.relu3, (add14,), out_ty=R.Tensor((1, 256, 14, 14), dtype="float32"))
            conv2d11 = R.call_tir(cls.conv2d6, (relu9, blocks_4_b_conv_weight), out_ty=R.Tensor((1, 256, 14, 14), dtype="float32"))
            mul11 = R.call_tir(cls.multiply3, (conv2d11, blocks_4_b_scale), out_ty=R.Tensor((1, 256, 14, 14), dtype="float32"))
            add15 = R.call_tir(cls.add5, (mul11, blocks_4_b_shift), out_ty=R.Tensor((1, 256, 14, 14), dtype="float32"))
            conv2d12 = R.call_tir(cls.conv2d7, (relu8, blocks_4_short_conv_weight), out_ty=R.Tensor((1, 256, 14, 14), dtype="float32"))
            mul12 = R.call_tir(cls.multiply3, (conv2d12, blocks_4_short_scale), out_ty=R.Tensor((1, 256, 14, 14), dtype="float32"))
            add16 = R.call_tir(cls.add5, (mul12, blocks_4_short_shift), out_ty=R.Tensor((1, 256, 14, 14), dtype="float32"))
            add17 = R.call_tir(cls.add6, (add15, add16), out_ty=R.Tensor((1, 256, 14, 14), dtype="float32"))
            relu10 = R.call_tir(cls.relu3, (add17,), out_ty=R.Tensor((1, 256, 14, 14), dtype="float32"))
            conv2d13 = R.call_tir(cls.conv2d6, (relu10, blocks_5_a_conv_weight), out_ty=R.Tensor((1, 256, 14, 14), dtype="float32"))
            mul13 = R.call_tir(cls.multiply3, (conv2d13, blocks_5_a_scale), out_ty=R.Tensor((1, 256, 14, 14), dtype="float32"))
            add18 = R.call_tir(cls.add5, (mul13, blocks_5_a_shift), out_ty=R.Tensor((1, 256, 14, 14), dtype="float32"))
            relu11 = R.call_tir(cls.relu3, (add18,), out_ty=R.Tensor((1, 256, 14, 14), dtype="float32"))
            conv2d14 = R.call_tir(cls.conv2d6, (relu11, blocks_5_b_conv_weight), out_ty=R.Tensor((1, 256, 14, 14), dtype="float32"))
            mul14 = R.call_tir(cls.multiply3, (conv2d14, blocks_5_b_scale), out_ty=R.Tensor((1, 256, 14, 14), dtype="float32"))
            add19 = R.call_tir(cls.add5, (mul14, blocks_5_b_shift), out_ty=R.Tensor((1, 256, 14, 14), dtype="float32"))
            add20 = R.call_tir(cls.add6, (add19, relu10), out_ty=R.Tensor((1, 256, 14, 14), dtype="float32"))
            relu12 = R.call_tir(cls.relu3, (add20,), out_ty=R.Tensor((1, 256, 14, 14), dtype="float32"))
            conv2d15 = R.call_tir(cls.conv2d8, (relu12, blocks_6_a_conv_weight), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            mul15 = R.call_tir(cls.multiply4, (conv2d15, blocks_6_a_scale), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            add21 = R.call_tir(cls.add7, (mul15, blocks_6_a_shift), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            relu13 = R.call_tir(cls.relu4, (add21,), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            conv2d16 = R.call_tir(cls.conv2d9, (relu13, blocks_6_b_conv_weight), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            mul16 = R.call_tir(cls.multiply4, (conv2d16, blocks_6_b_scale), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            add22 = R.call_tir(cls.add7, (mul16, blocks_6_b_shift), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            conv2d17 = R.call_tir(cls.conv2d10, (relu12, blocks_6_short_conv_weight), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            mul17 = R.call_tir(cls.multiply4, (conv2d17, blocks_6_short_scale), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            add23 = R.call_tir(cls.add7, (mul17, blocks_6_short_shift), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            add24 = R.call_tir(cls.add8, (add22, add23), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            relu14 = R.call_tir(cls.relu4, (add24,), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            conv2d18 = R.call_tir(cls.conv2d9, (relu14, blocks_7_a_conv_weight), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            mul18 = R.call_tir(cls.multiply4, (conv2d18, blocks_7_a_scale), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            add25 = R.call_tir(cls.add7, (mul18, blocks_7_a_shift), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            relu15 = R.call_tir(cls.relu4, (add25,), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            conv2d19 = R.call_tir(cls.conv2d9, (relu15, blocks_7_b_conv_weight), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            mul19 = R.call_tir(cls.multiply4, (conv2d19, blocks_7_b_scale), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            add26 = R.call_tir(cls.add7, (mul19, blocks_7_b_shift), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            add27 = R.call_tir(cls.add8, (add26, relu14), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            relu16 = R.call_tir(cls.relu4, (add27,), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            mean = R.call_tir(cls.mean, (relu16,), out_ty=R.Tensor((1, 512), dtype="float32"))
            permute_dims = R.call_tir(cls.transpose, (f_weight,), out_ty=R.Tensor((512, 1000), dtype="float32"))
            matmul = R.call_tir(cls.matmul, (mean, permute_dims), out_ty=R.Tensor((1, 1000), dtype="float32"))
            add28 = R.call_tir(cls.add9, (matmul, f_bias), out_ty=R.Tensor((1, 1000), dtype="float32"))
            gv: R.Tensor((1, 1000), dtype="float32") = add28
            R.output(gv)
        return gv
