# reads: yes; resnet18_end, as TVM 0.27.0.post1 prints it after LegalizeOps
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def add(mul: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32"), block_a_shift: T.Buffer((T.int64(1), T.int64(512), T.int64(1), T.int64(1)), "float32"), T_add: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(512), T.int64(7), T.int64(7)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(mul[v_ax0, v_ax1, v_ax2, v_ax3], block_a_shift[v_ax0, v_ax1, T.int64(0), T.int64(0)])
                T.writes(T_add[v_ax0, v_ax1, v_ax2, v_ax3])
                T_add[v_ax0, v_ax1, v_ax2, v_ax3] = mul[v_ax0, v_ax1, v_ax2, v_ax3] + block_a_shift[v_ax0, v_ax1, T.int64(0), T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def add1(add1: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32"), x: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32"), T_add: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(512), T.int64(7), T.int64(7)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(add1[v_ax0, v_ax1, v_ax2, v_ax3], x[v_ax0, v_ax1, v_ax2, v_ax3])
                T.writes(T_add[v_ax0, v_ax1, v_ax2, v_ax3])
                T_add[v_ax0, v_ax1, v_ax2, v_ax3] = add1[v_ax0, v_ax1, v_ax2, v_ax3] + x[v_ax0, v_ax1, v_ax2, v_ax3]

    @T.prim_func(private=True, s_tir=True)
    def add2(matmul: T.Buffer((T.int64(1), T.int64(1000)), "float32"), f_bias: T.Buffer((T.int64(1000),), "float32"), T_add: T.Buffer((T.int64(1), T.int64(1000)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(T.int64(1), T.int64(1000)):
            with T.sblock("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(matmul[v_ax0, v_ax1], f_bias[v_ax1])
                T.writes(T_add[v_ax0, v_ax1])
                T_add[v_ax0, v_ax1] = matmul[v_ax0, v_ax1] + f_bias[v_ax1]

    @T.prim_func(private=True, s_tir=True)
    def conv2d(x: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32"), block_a_conv_weight: T.Buffer((T.int64(512), T.int64(512), T.int64(3), T.int64(3)), "float32"), conv2d_nchw: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(512), T.int64(9), T.int64(9)))
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(512), T.int64(9), T.int64(9)):
            with T.sblock("pad_temp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(x[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)])
                T.writes(pad_temp[v_i0, v_i1, v_i2, v_i3])
                pad_temp[v_i0, v_i1, v_i2, v_i3] = T.if_then_else(T.int64(1) <= v_i2 and v_i2 < T.int64(8) and T.int64(1) <= v_i3 and v_i3 < T.int64(8), x[v_i0, v_i1, v_i2 - T.int64(1), v_i3 - T.int64(1)], T.float32(0.0))
        for nn, ff, yy, xx, rc, ry, rx in T.grid(T.int64(1), T.int64(512), T.int64(7), T.int64(7), T.int64(512), T.int64(3), T.int64(3)):
            with T.sblock("conv2d_nchw"):
                v_nn, v_ff, v_yy, v_xx, v_rc, v_ry, v_rx = T.axis.remap("SSSSRRR", [nn, ff, yy, xx, rc, ry, rx])
                T.reads(pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx], block_a_conv_weight[v_ff, v_rc, v_ry, v_rx])
                T.writes(conv2d_nchw[v_nn, v_ff, v_yy, v_xx])
                with T.init():
                    conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = T.float32(0.0)
                conv2d_nchw[v_nn, v_ff, v_yy, v_xx] = conv2d_nchw[v_nn, v_ff, v_yy, v_xx] + pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx] * block_a_conv_weight[v_ff, v_rc, v_ry, v_rx]

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
    def mean(relu1: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32"), T_divide: T.Buffer((T.int64(1), T.int64(512)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        relu1_red = T.sblock_alloc_buffer((T.int64(1), T.int64(512)))
        for ax0, ax1, k2, k3 in T.grid(T.int64(1), T.int64(512), T.int64(7), T.int64(7)):
            with T.sblock("relu1_red"):
                v_ax0, v_ax1, v_k2, v_k3 = T.axis.remap("SSRR", [ax0, ax1, k2, k3])
                T.reads(relu1[v_ax0, v_ax1, v_k2, v_k3])
                T.writes(relu1_red[v_ax0, v_ax1])
                with T.init():
                    relu1_red[v_ax0, v_ax1] = T.float32(0.0)
                relu1_red[v_ax0, v_ax1] = relu1_red[v_ax0, v_ax1] + relu1[v_ax0, v_ax1, v_k2, v_k3]
        for ax0, ax1 in T.grid(T.int64(1), T.int64(512)):
            with T.sblock("T_divide"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(relu1_red[v_ax0, v_ax1])
                T.writes(T_divide[v_ax0, v_ax1])
                T_divide[v_ax0, v_ax1] = relu1_red[v_ax0, v_ax1] / T.float32(49.0)

    @T.prim_func(private=True, s_tir=True)
    def multiply(conv2d: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32"), block_a_scale: T.Buffer((T.int64(1), T.int64(512), T.int64(1), T.int64(1)), "float32"), T_multiply: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(512), T.int64(7), T.int64(7)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(conv2d[v_ax0, v_ax1, v_ax2, v_ax3], block_a_scale[v_ax0, v_ax1, T.int64(0), T.int64(0)])
                T.writes(T_multiply[v_ax0, v_ax1, v_ax2, v_ax3])
                T_multiply[v_ax0, v_ax1, v_ax2, v_ax3] = conv2d[v_ax0, v_ax1, v_ax2, v_ax3] * block_a_scale[v_ax0, v_ax1, T.int64(0), T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def relu(add: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32"), compute: T.Buffer((T.int64(1), T.int64(512), T.int64(7), T.int64(7)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(512), T.int64(7), T.int64(7)):
            with T.sblock("compute"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(add[v_i0, v_i1, v_i2, v_i3])
                T.writes(compute[v_i0, v_i1, v_i2, v_i3])
                compute[v_i0, v_i1, v_i2, v_i3] = T.max(add[v_i0, v_i1, v_i2, v_i3], T.float32(0.0))

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
    def main(x: R.Tensor((1, 512, 7, 7), dtype="float32"), block_a_conv_weight: R.Tensor((512, 512, 3, 3), dtype="float32"), block_a_scale: R.Tensor((1, 512, 1, 1), dtype="float32"), block_a_shift: R.Tensor((1, 512, 1, 1), dtype="float32"), block_b_conv_weight: R.Tensor((512, 512, 3, 3), dtype="float32"), block_b_scale: R.Tensor((1, 512, 1, 1), dtype="float32"), block_b_shift: R.Tensor((1, 512, 1, 1), dtype="float32"), f_weight: R.Tensor((1000, 512), dtype="float32"), f_bias: R.Tensor((1000,), dtype="float32")) -> R.Tensor((1, 1000), dtype="float32"):
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            conv2d = R.call_tir(cls.conv2d, (x, block_a_conv_weight), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            mul = R.call_tir(cls.multiply, (conv2d, block_a_scale), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            add = R.call_tir(cls.add, (mul, block_a_shift), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            relu = R.call_tir(cls.relu, (add,), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            conv2d1 = R.call_tir(cls.conv2d, (relu, block_b_conv_weight), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            mul1 = R.call_tir(cls.multiply, (conv2d1, block_b_scale), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            add1 = R.call_tir(cls.add, (mul1, block_b_shift), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            add2 = R.call_tir(cls.add1, (add1, x), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            relu1 = R.call_tir(cls.relu, (add2,), out_ty=R.Tensor((1, 512, 7, 7), dtype="float32"))
            mean = R.call_tir(cls.mean, (relu1,), out_ty=R.Tensor((1, 512), dtype="float32"))
            permute_dims = R.call_tir(cls.transpose, (f_weight,), out_ty=R.Tensor((512, 1000), dtype="float32"))
            matmul = R.call_tir(cls.matmul, (mean, permute_dims), out_ty=R.Tensor((1, 1000), dtype="float32"))
            add3 = R.call_tir(cls.add2, (matmul, f_bias), out_ty=R.Tensor((1, 1000), dtype="float32"))
            gv: R.Tensor((1, 1000), dtype="float32") = add3
            R.output(gv)
        return gv
