# reads: yes; deit_layer, as TVM 0.27.0.post1 prints it after LegalizeOps
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def add(matmul: T.Buffer((T.int64(1), T.int64(197), T.int64(192)), "float32"), q_bias: T.Buffer((T.int64(192),), "float32"), T_add: T.Buffer((T.int64(1), T.int64(197), T.int64(192)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(197), T.int64(192)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(matmul[v_ax0, v_ax1, v_ax2], q_bias[v_ax2])
                T.writes(T_add[v_ax0, v_ax1, v_ax2])
                T_add[v_ax0, v_ax1, v_ax2] = matmul[v_ax0, v_ax1, v_ax2] + q_bias[v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def add1(x: T.Buffer((T.int64(1), T.int64(197), T.int64(192)), "float32"), add3: T.Buffer((T.int64(1), T.int64(197), T.int64(192)), "float32"), T_add: T.Buffer((T.int64(1), T.int64(197), T.int64(192)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(197), T.int64(192)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(x[v_ax0, v_ax1, v_ax2], add3[v_ax0, v_ax1, v_ax2])
                T.writes(T_add[v_ax0, v_ax1, v_ax2])
                T_add[v_ax0, v_ax1, v_ax2] = x[v_ax0, v_ax1, v_ax2] + add3[v_ax0, v_ax1, v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def add2(matmul6: T.Buffer((T.int64(1), T.int64(197), T.int64(768)), "float32"), f1_bias: T.Buffer((T.int64(768),), "float32"), T_add: T.Buffer((T.int64(1), T.int64(197), T.int64(768)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(197), T.int64(768)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(matmul6[v_ax0, v_ax1, v_ax2], f1_bias[v_ax2])
                T.writes(T_add[v_ax0, v_ax1, v_ax2])
                T_add[v_ax0, v_ax1, v_ax2] = matmul6[v_ax0, v_ax1, v_ax2] + f1_bias[v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def gelu(add5: T.Buffer((T.int64(1), T.int64(197), T.int64(768)), "float32"), T_multiply: T.Buffer((T.int64(1), T.int64(197), T.int64(768)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        T_multiply_1 = T.sblock_alloc_buffer((T.int64(1), T.int64(197), T.int64(768)))
        compute = T.sblock_alloc_buffer((T.int64(1), T.int64(197), T.int64(768)))
        T_multiply_2 = T.sblock_alloc_buffer((T.int64(1), T.int64(197), T.int64(768)))
        T_add = T.sblock_alloc_buffer((T.int64(1), T.int64(197), T.int64(768)))
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(197), T.int64(768)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(add5[v_ax0, v_ax1, v_ax2])
                T.writes(T_multiply_1[v_ax0, v_ax1, v_ax2])
                T_multiply_1[v_ax0, v_ax1, v_ax2] = add5[v_ax0, v_ax1, v_ax2] * T.float32(0.70710678118654757)
        for i0, i1, i2 in T.grid(T.int64(1), T.int64(197), T.int64(768)):
            with T.sblock("compute"):
                v_i0, v_i1, v_i2 = T.axis.remap("SSS", [i0, i1, i2])
                T.reads(T_multiply_1[v_i0, v_i1, v_i2])
                T.writes(compute[v_i0, v_i1, v_i2])
                compute[v_i0, v_i1, v_i2] = T.erf(T_multiply_1[v_i0, v_i1, v_i2])
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(197), T.int64(768)):
            with T.sblock("T_multiply_1"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(compute[v_ax0, v_ax1, v_ax2])
                T.writes(T_multiply_2[v_ax0, v_ax1, v_ax2])
                T_multiply_2[v_ax0, v_ax1, v_ax2] = compute[v_ax0, v_ax1, v_ax2] * T.float32(0.5)
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(197), T.int64(768)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(T_multiply_2[v_ax0, v_ax1, v_ax2])
                T.writes(T_add[v_ax0, v_ax1, v_ax2])
                T_add[v_ax0, v_ax1, v_ax2] = T.float32(0.5) + T_multiply_2[v_ax0, v_ax1, v_ax2]
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(197), T.int64(768)):
            with T.sblock("T_multiply_2"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(add5[v_ax0, v_ax1, v_ax2], T_add[v_ax0, v_ax1, v_ax2])
                T.writes(T_multiply[v_ax0, v_ax1, v_ax2])
                T_multiply[v_ax0, v_ax1, v_ax2] = add5[v_ax0, v_ax1, v_ax2] * T_add[v_ax0, v_ax1, v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def layer_norm(x: T.Buffer((T.int64(1), T.int64(197), T.int64(192)), "float32"), n1_weight: T.Buffer((T.int64(192),), "float32"), n1_bias: T.Buffer((T.int64(192),), "float32"), T_layer_norm: T.Buffer((T.int64(1), T.int64(197), T.int64(192)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_sum = T.sblock_alloc_buffer((T.int64(1), T.int64(197)))
        x_mean = T.sblock_alloc_buffer((T.int64(1), T.int64(197)))
        x_var_sum = T.sblock_alloc_buffer((T.int64(1), T.int64(197)))
        for ax0, ax1, k2 in T.grid(T.int64(1), T.int64(197), T.int64(192)):
            with T.sblock("x_sum"):
                v_ax0, v_ax1, v_k2 = T.axis.remap("SSR", [ax0, ax1, k2])
                T.reads(x[v_ax0, v_ax1, v_k2])
                T.writes(x_sum[v_ax0, v_ax1])
                with T.init():
                    x_sum[v_ax0, v_ax1] = T.float32(0.0)
                x_sum[v_ax0, v_ax1] = x_sum[v_ax0, v_ax1] + x[v_ax0, v_ax1, v_k2]
        for ax0, ax1 in T.grid(T.int64(1), T.int64(197)):
            with T.sblock("x_mean"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x_sum[v_ax0, v_ax1])
                T.writes(x_mean[v_ax0, v_ax1])
                x_mean[v_ax0, v_ax1] = x_sum[v_ax0, v_ax1] / T.float32(192.0)
        for ax0, ax1, k2 in T.grid(T.int64(1), T.int64(197), T.int64(192)):
            with T.sblock("x_var_sum"):
                v_ax0, v_ax1, v_k2 = T.axis.remap("SSR", [ax0, ax1, k2])
                T.reads(x[v_ax0, v_ax1, v_k2], x_mean[v_ax0, v_ax1])
                T.writes(x_var_sum[v_ax0, v_ax1])
                with T.init():
                    x_var_sum[v_ax0, v_ax1] = T.float32(0.0)
                x_var_sum[v_ax0, v_ax1] = x_var_sum[v_ax0, v_ax1] + (x[v_ax0, v_ax1, v_k2] - x_mean[v_ax0, v_ax1]) * (x[v_ax0, v_ax1, v_k2] - x_mean[v_ax0, v_ax1])
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(197), T.int64(192)):
            with T.sblock("T_layer_norm"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(x[v_ax0, v_ax1, v_ax2], x_mean[v_ax0, v_ax1], x_var_sum[v_ax0, v_ax1], n1_weight[v_ax2], n1_bias[v_ax2])
                T.writes(T_layer_norm[v_ax0, v_ax1, v_ax2])
                T_layer_norm[v_ax0, v_ax1, v_ax2] = (x[v_ax0, v_ax1, v_ax2] - x_mean[v_ax0, v_ax1]) * T.rsqrt(x_var_sum[v_ax0, v_ax1] / T.float32(192.0) + T.float32(1.0000000000000001e-05)) * n1_weight[v_ax2] + n1_bias[v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def matmul(layer_norm: T.Buffer((T.int64(1), T.int64(197), T.int64(192)), "float32"), permute_dims: T.Buffer((T.int64(192), T.int64(192)), "float32"), matmul: T.Buffer((T.int64(1), T.int64(197), T.int64(192)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, k in T.grid(T.int64(1), T.int64(197), T.int64(192), T.int64(192)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_i2, v_k = T.axis.remap("SSSR", [i0, i1, i2, k])
                T.reads(layer_norm[v_i0, v_i1, v_k], permute_dims[v_k, v_i2])
                T.writes(matmul[v_i0, v_i1, v_i2])
                with T.init():
                    matmul[v_i0, v_i1, v_i2] = T.float32(0.0)
                matmul[v_i0, v_i1, v_i2] = matmul[v_i0, v_i1, v_i2] + layer_norm[v_i0, v_i1, v_k] * permute_dims[v_k, v_i2]

    @T.prim_func(private=True, s_tir=True)
    def matmul1(permute_dims1: T.Buffer((T.int64(1), T.int64(3), T.int64(197), T.int64(64)), "float32"), permute_dims6: T.Buffer((T.int64(1), T.int64(3), T.int64(64), T.int64(197)), "float32"), matmul: T.Buffer((T.int64(1), T.int64(3), T.int64(197), T.int64(197)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, i3, k in T.grid(T.int64(1), T.int64(3), T.int64(197), T.int64(197), T.int64(64)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_i2, v_i3, v_k = T.axis.remap("SSSSR", [i0, i1, i2, i3, k])
                T.reads(permute_dims1[v_i0, v_i1, v_i2, v_k], permute_dims6[v_i0, v_i1, v_k, v_i3])
                T.writes(matmul[v_i0, v_i1, v_i2, v_i3])
                with T.init():
                    matmul[v_i0, v_i1, v_i2, v_i3] = T.float32(0.0)
                matmul[v_i0, v_i1, v_i2, v_i3] = matmul[v_i0, v_i1, v_i2, v_i3] + permute_dims1[v_i0, v_i1, v_i2, v_k] * permute_dims6[v_i0, v_i1, v_k, v_i3]

    @T.prim_func(private=True, s_tir=True)
    def matmul2(softmax: T.Buffer((T.int64(1), T.int64(3), T.int64(197), T.int64(197)), "float32"), permute_dims5: T.Buffer((T.int64(1), T.int64(3), T.int64(197), T.int64(64)), "float32"), matmul: T.Buffer((T.int64(1), T.int64(3), T.int64(197), T.int64(64)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, i3, k in T.grid(T.int64(1), T.int64(3), T.int64(197), T.int64(64), T.int64(197)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_i2, v_i3, v_k = T.axis.remap("SSSSR", [i0, i1, i2, i3, k])
                T.reads(softmax[v_i0, v_i1, v_i2, v_k], permute_dims5[v_i0, v_i1, v_k, v_i3])
                T.writes(matmul[v_i0, v_i1, v_i2, v_i3])
                with T.init():
                    matmul[v_i0, v_i1, v_i2, v_i3] = T.float32(0.0)
                matmul[v_i0, v_i1, v_i2, v_i3] = matmul[v_i0, v_i1, v_i2, v_i3] + softmax[v_i0, v_i1, v_i2, v_k] * permute_dims5[v_i0, v_i1, v_k, v_i3]

    @T.prim_func(private=True, s_tir=True)
    def matmul3(layer_norm1: T.Buffer((T.int64(1), T.int64(197), T.int64(192)), "float32"), permute_dims9: T.Buffer((T.int64(192), T.int64(768)), "float32"), matmul: T.Buffer((T.int64(1), T.int64(197), T.int64(768)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, k in T.grid(T.int64(1), T.int64(197), T.int64(768), T.int64(192)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_i2, v_k = T.axis.remap("SSSR", [i0, i1, i2, k])
                T.reads(layer_norm1[v_i0, v_i1, v_k], permute_dims9[v_k, v_i2])
                T.writes(matmul[v_i0, v_i1, v_i2])
                with T.init():
                    matmul[v_i0, v_i1, v_i2] = T.float32(0.0)
                matmul[v_i0, v_i1, v_i2] = matmul[v_i0, v_i1, v_i2] + layer_norm1[v_i0, v_i1, v_k] * permute_dims9[v_k, v_i2]

    @T.prim_func(private=True, s_tir=True)
    def matmul4(gelu: T.Buffer((T.int64(1), T.int64(197), T.int64(768)), "float32"), permute_dims10: T.Buffer((T.int64(768), T.int64(192)), "float32"), matmul: T.Buffer((T.int64(1), T.int64(197), T.int64(192)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, k in T.grid(T.int64(1), T.int64(197), T.int64(192), T.int64(768)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_i2, v_k = T.axis.remap("SSSR", [i0, i1, i2, k])
                T.reads(gelu[v_i0, v_i1, v_k], permute_dims10[v_k, v_i2])
                T.writes(matmul[v_i0, v_i1, v_i2])
                with T.init():
                    matmul[v_i0, v_i1, v_i2] = T.float32(0.0)
                matmul[v_i0, v_i1, v_i2] = matmul[v_i0, v_i1, v_i2] + gelu[v_i0, v_i1, v_k] * permute_dims10[v_k, v_i2]

    @T.prim_func(private=True, s_tir=True)
    def multiply(matmul3: T.Buffer((T.int64(1), T.int64(3), T.int64(197), T.int64(197)), "float32"), T_multiply: T.Buffer((T.int64(1), T.int64(3), T.int64(197), T.int64(197)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(3), T.int64(197), T.int64(197)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(matmul3[v_ax0, v_ax1, v_ax2, v_ax3])
                T.writes(T_multiply[v_ax0, v_ax1, v_ax2, v_ax3])
                T_multiply[v_ax0, v_ax1, v_ax2, v_ax3] = matmul3[v_ax0, v_ax1, v_ax2, v_ax3] * T.float32(0.125)

    @T.prim_func(private=True, s_tir=True)
    def reshape(add: T.Buffer((T.int64(1), T.int64(197), T.int64(192)), "float32"), T_reshape: T.Buffer((T.int64(1), T.int64(197), T.int64(3), T.int64(64)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(197), T.int64(3), T.int64(64)):
            with T.sblock("T_reshape"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(add[T.int64(0), ((v_ax2 * T.int64(64) + v_ax3) // T.int64(192) + v_ax1) % T.int64(197), (v_ax2 * T.int64(64) + v_ax3) % T.int64(192)])
                T.writes(T_reshape[v_ax0, v_ax1, v_ax2, v_ax3])
                T_reshape[v_ax0, v_ax1, v_ax2, v_ax3] = add[T.int64(0), ((v_ax2 * T.int64(64) + v_ax3) // T.int64(192) + v_ax1) % T.int64(197), (v_ax2 * T.int64(64) + v_ax3) % T.int64(192)]

    @T.prim_func(private=True, s_tir=True)
    def reshape1(permute_dims7: T.Buffer((T.int64(1), T.int64(197), T.int64(3), T.int64(64)), "float32"), T_reshape: T.Buffer((T.int64(1), T.int64(197), T.int64(192)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(197), T.int64(192)):
            with T.sblock("T_reshape"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(permute_dims7[T.int64(0), (v_ax2 // T.int64(192) + v_ax1) % T.int64(197), v_ax2 % T.int64(192) // T.int64(64), v_ax2 % T.int64(64)])
                T.writes(T_reshape[v_ax0, v_ax1, v_ax2])
                T_reshape[v_ax0, v_ax1, v_ax2] = permute_dims7[T.int64(0), (v_ax2 // T.int64(192) + v_ax1) % T.int64(197), v_ax2 % T.int64(192) // T.int64(64), v_ax2 % T.int64(64)]

    @T.prim_func(private=True, s_tir=True)
    def softmax(mul: T.Buffer((T.int64(1), T.int64(3), T.int64(197), T.int64(197)), "float32"), T_softmax_norm: T.Buffer((T.int64(1), T.int64(3), T.int64(197), T.int64(197)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        T_softmax_maxelem = T.sblock_alloc_buffer((T.int64(1), T.int64(3), T.int64(197)))
        T_softmax_exp = T.sblock_alloc_buffer((T.int64(1), T.int64(3), T.int64(197), T.int64(197)))
        T_softmax_expsum = T.sblock_alloc_buffer((T.int64(1), T.int64(3), T.int64(197)))
        for i0, i1, i2, k in T.grid(T.int64(1), T.int64(3), T.int64(197), T.int64(197)):
            with T.sblock("T_softmax_maxelem"):
                v_i0, v_i1, v_i2, v_k = T.axis.remap("SSSR", [i0, i1, i2, k])
                T.reads(mul[v_i0, v_i1, v_i2, v_k])
                T.writes(T_softmax_maxelem[v_i0, v_i1, v_i2])
                with T.init():
                    T_softmax_maxelem[v_i0, v_i1, v_i2] = T.float32(-340282346638528859811704183484516925440.0)
                T_softmax_maxelem[v_i0, v_i1, v_i2] = T.max(T_softmax_maxelem[v_i0, v_i1, v_i2], mul[v_i0, v_i1, v_i2, v_k])
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(3), T.int64(197), T.int64(197)):
            with T.sblock("T_softmax_exp"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(mul[v_i0, v_i1, v_i2, v_i3], T_softmax_maxelem[v_i0, v_i1, v_i2])
                T.writes(T_softmax_exp[v_i0, v_i1, v_i2, v_i3])
                T_softmax_exp[v_i0, v_i1, v_i2, v_i3] = T.exp(mul[v_i0, v_i1, v_i2, v_i3] - T_softmax_maxelem[v_i0, v_i1, v_i2])
        for i0, i1, i2, k in T.grid(T.int64(1), T.int64(3), T.int64(197), T.int64(197)):
            with T.sblock("T_softmax_expsum"):
                v_i0, v_i1, v_i2, v_k = T.axis.remap("SSSR", [i0, i1, i2, k])
                T.reads(T_softmax_exp[v_i0, v_i1, v_i2, v_k])
                T.writes(T_softmax_expsum[v_i0, v_i1, v_i2])
                with T.init():
                    T_softmax_expsum[v_i0, v_i1, v_i2] = T.float32(0.0)
                T_softmax_expsum[v_i0, v_i1, v_i2] = T_softmax_expsum[v_i0, v_i1, v_i2] + T_softmax_exp[v_i0, v_i1, v_i2, v_k]
        for i0, i1, i2, i3 in T.grid(T.int64(1), T.int64(3), T.int64(197), T.int64(197)):
            with T.sblock("T_softmax_norm"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                T.reads(T_softmax_exp[v_i0, v_i1, v_i2, v_i3], T_softmax_expsum[v_i0, v_i1, v_i2])
                T.writes(T_softmax_norm[v_i0, v_i1, v_i2, v_i3])
                T.sblock_attr({"axis": 3})
                T_softmax_norm[v_i0, v_i1, v_i2, v_i3] = T_softmax_exp[v_i0, v_i1, v_i2, v_i3] / T_softmax_expsum[v_i0, v_i1, v_i2]

    @T.prim_func(private=True, s_tir=True)
    def transpose(q_weight: T.Buffer((T.int64(192), T.int64(192)), "float32"), T_transpose: T.Buffer((T.int64(192), T.int64(192)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(T.int64(192), T.int64(192)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(q_weight[v_ax1, v_ax0])
                T.writes(T_transpose[v_ax0, v_ax1])
                T_transpose[v_ax0, v_ax1] = q_weight[v_ax1, v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def transpose1(reshape: T.Buffer((T.int64(1), T.int64(197), T.int64(3), T.int64(64)), "float32"), T_transpose: T.Buffer((T.int64(1), T.int64(3), T.int64(197), T.int64(64)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(3), T.int64(197), T.int64(64)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(reshape[v_ax0, v_ax2, v_ax1, v_ax3])
                T.writes(T_transpose[v_ax0, v_ax1, v_ax2, v_ax3])
                T_transpose[v_ax0, v_ax1, v_ax2, v_ax3] = reshape[v_ax0, v_ax2, v_ax1, v_ax3]

    @T.prim_func(private=True, s_tir=True)
    def transpose2(permute_dims3: T.Buffer((T.int64(1), T.int64(3), T.int64(197), T.int64(64)), "float32"), T_transpose: T.Buffer((T.int64(1), T.int64(3), T.int64(64), T.int64(197)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(3), T.int64(64), T.int64(197)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(permute_dims3[v_ax0, v_ax1, v_ax3, v_ax2])
                T.writes(T_transpose[v_ax0, v_ax1, v_ax2, v_ax3])
                T_transpose[v_ax0, v_ax1, v_ax2, v_ax3] = permute_dims3[v_ax0, v_ax1, v_ax3, v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def transpose3(matmul4: T.Buffer((T.int64(1), T.int64(3), T.int64(197), T.int64(64)), "float32"), T_transpose: T.Buffer((T.int64(1), T.int64(197), T.int64(3), T.int64(64)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(197), T.int64(3), T.int64(64)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(matmul4[v_ax0, v_ax2, v_ax1, v_ax3])
                T.writes(T_transpose[v_ax0, v_ax1, v_ax2, v_ax3])
                T_transpose[v_ax0, v_ax1, v_ax2, v_ax3] = matmul4[v_ax0, v_ax2, v_ax1, v_ax3]

    @T.prim_func(private=True, s_tir=True)
    def transpose4(f1_weight: T.Buffer((T.int64(768), T.int64(192)), "float32"), T_transpose: T.Buffer((T.int64(192), T.int64(768)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(T.int64(192), T.int64(768)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(f1_weight[v_ax1, v_ax0])
                T.writes(T_transpose[v_ax0, v_ax1])
                T_transpose[v_ax0, v_ax1] = f1_weight[v_ax1, v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def transpose5(f2_weight: T.Buffer((T.int64(192), T.int64(768)), "float32"), T_transpose: T.Buffer((T.int64(768), T.int64(192)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(T.int64(768), T.int64(192)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(f2_weight[v_ax1, v_ax0])
                T.writes(T_transpose[v_ax0, v_ax1])
                T_transpose[v_ax0, v_ax1] = f2_weight[v_ax1, v_ax0]

    @R.function
    def main(x: R.Tensor((1, 197, 192), dtype="float32"), n1_weight: R.Tensor((192,), dtype="float32"), n1_bias: R.Tensor((192,), dtype="float32"), n2_weight: R.Tensor((192,), dtype="float32"), n2_bias: R.Tensor((192,), dtype="float32"), q_weight: R.Tensor((192, 192), dtype="float32"), q_bias: R.Tensor((192,), dtype="float32"), k_weight: R.Tensor((192, 192), dtype="float32"), k_bias: R.Tensor((192,), dtype="float32"), v_weight: R.Tensor((192, 192), dtype="float32"), v_bias: R.Tensor((192,), dtype="float32"), o_weight: R.Tensor((192, 192), dtype="float32"), o_bias: R.Tensor((192,), dtype="float32"), f1_weight: R.Tensor((768, 192), dtype="float32"), f1_bias: R.Tensor((768,), dtype="float32"), f2_weight: R.Tensor((192, 768), dtype="float32"), f2_bias: R.Tensor((192,), dtype="float32")) -> R.Tensor((1, 197, 192), dtype="float32"):
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            layer_norm = R.call_tir(cls.layer_norm, (x, n1_weight, n1_bias), out_ty=R.Tensor((1, 197, 192), dtype="float32"))
            permute_dims = R.call_tir(cls.transpose, (q_weight,), out_ty=R.Tensor((192, 192), dtype="float32"))
            matmul = R.call_tir(cls.matmul, (layer_norm, permute_dims), out_ty=R.Tensor((1, 197, 192), dtype="float32"))
            add = R.call_tir(cls.add, (matmul, q_bias), out_ty=R.Tensor((1, 197, 192), dtype="float32"))
            reshape = R.call_tir(cls.reshape, (add,), out_ty=R.Tensor((1, 197, 3, 64), dtype="float32"))
            permute_dims1 = R.call_tir(cls.transpose1, (reshape,), out_ty=R.Tensor((1, 3, 197, 64), dtype="float32"))
            permute_dims2 = R.call_tir(cls.transpose, (k_weight,), out_ty=R.Tensor((192, 192), dtype="float32"))
            matmul1 = R.call_tir(cls.matmul, (layer_norm, permute_dims2), out_ty=R.Tensor((1, 197, 192), dtype="float32"))
            add1 = R.call_tir(cls.add, (matmul1, k_bias), out_ty=R.Tensor((1, 197, 192), dtype="float32"))
            reshape1 = R.call_tir(cls.reshape, (add1,), out_ty=R.Tensor((1, 197, 3, 64), dtype="float32"))
            permute_dims3 = R.call_tir(cls.transpose1, (reshape1,), out_ty=R.Tensor((1, 3, 197, 64), dtype="float32"))
            permute_dims4 = R.call_tir(cls.transpose, (v_weight,), out_ty=R.Tensor((192, 192), dtype="float32"))
            matmul2 = R.call_tir(cls.matmul, (layer_norm, permute_dims4), out_ty=R.Tensor((1, 197, 192), dtype="float32"))
            add2 = R.call_tir(cls.add, (matmul2, v_bias), out_ty=R.Tensor((1, 197, 192), dtype="float32"))
            reshape2 = R.call_tir(cls.reshape, (add2,), out_ty=R.Tensor((1, 197, 3, 64), dtype="float32"))
            permute_dims5 = R.call_tir(cls.transpose1, (reshape2,), out_ty=R.Tensor((1, 3, 197, 64), dtype="float32"))
            permute_dims6 = R.call_tir(cls.transpose2, (permute_dims3,), out_ty=R.Tensor((1, 3, 64, 197), dtype="float32"))
            matmul3 = R.call_tir(cls.matmul1, (permute_dims1, permute_dims6), out_ty=R.Tensor((1, 3, 197, 197), dtype="float32"))
            mul = R.call_tir(cls.multiply, (matmul3,), out_ty=R.Tensor((1, 3, 197, 197), dtype="float32"))
            softmax = R.call_tir(cls.softmax, (mul,), out_ty=R.Tensor((1, 3, 197, 197), dtype="float32"))
            matmul4 = R.call_tir(cls.matmul2, (softmax, permute_dims5), out_ty=R.Tensor((1, 3, 197, 64), dtype="float32"))
            permute_dims7 = R.call_tir(cls.transpose3, (matmul4,), out_ty=R.Tensor((1, 197, 3, 64), dtype="float32"))
            reshape3 = R.call_tir(cls.reshape1, (permute_dims7,), out_ty=R.Tensor((1, 197, 192), dtype="float32"))
            permute_dims8 = R.call_tir(cls.transpose, (o_weight,), out_ty=R.Tensor((192, 192), dtype="float32"))
            matmul5 = R.call_tir(cls.matmul, (reshape3, permute_dims8), out_ty=R.Tensor((1, 197, 192), dtype="float32"))
            add3 = R.call_tir(cls.add, (matmul5, o_bias), out_ty=R.Tensor((1, 197, 192), dtype="float32"))
            add4 = R.call_tir(cls.add1, (x, add3), out_ty=R.Tensor((1, 197, 192), dtype="float32"))
            layer_norm1 = R.call_tir(cls.layer_norm, (add4, n2_weight, n2_bias), out_ty=R.Tensor((1, 197, 192), dtype="float32"))
            permute_dims9 = R.call_tir(cls.transpose4, (f1_weight,), out_ty=R.Tensor((192, 768), dtype="float32"))
            matmul6 = R.call_tir(cls.matmul3, (layer_norm1, permute_dims9), out_ty=R.Tensor((1, 197, 768), dtype="float32"))
            add5 = R.call_tir(cls.add2, (matmul6, f1_bias), out_ty=R.Tensor((1, 197, 768), dtype="float32"))
            gelu = R.call_tir(cls.gelu, (add5,), out_ty=R.Tensor((1, 197, 768), dtype="float32"))
            permute_dims10 = R.call_tir(cls.transpose5, (f2_weight,), out_ty=R.Tensor((768, 192), dtype="float32"))
            matmul7 = R.call_tir(cls.matmul4, (gelu, permute_dims10), out_ty=R.Tensor((1, 197, 192), dtype="float32"))
            add6 = R.call_tir(cls.add, (matmul7, f2_bias), out_ty=R.Tensor((1, 197, 192), dtype="float32"))
            add7 = R.call_tir(cls.add1, (add4, add6), out_ty=R.Tensor((1, 197, 192), dtype="float32"))
            gv: R.Tensor((1, 197, 192), dtype="float32") = add7
            R.output(gv)
        return gv
