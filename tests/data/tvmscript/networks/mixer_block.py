# reads: yes; mixer_block, as TVM 0.27.0.post1 prints it after LegalizeOps
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def add(matmul: T.Buffer((T.int64(1), T.int64(64), T.int64(32)), "float32"), p1_bias: T.Buffer((T.int64(32),), "float32"), T_add: T.Buffer((T.int64(1), T.int64(64), T.int64(32)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(64), T.int64(32)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(matmul[v_ax0, v_ax1, v_ax2], p1_bias[v_ax2])
                T.writes(T_add[v_ax0, v_ax1, v_ax2])
                T_add[v_ax0, v_ax1, v_ax2] = matmul[v_ax0, v_ax1, v_ax2] + p1_bias[v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def add1(matmul1: T.Buffer((T.int64(1), T.int64(64), T.int64(49)), "float32"), p2_bias: T.Buffer((T.int64(49),), "float32"), T_add: T.Buffer((T.int64(1), T.int64(64), T.int64(49)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(64), T.int64(49)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(matmul1[v_ax0, v_ax1, v_ax2], p2_bias[v_ax2])
                T.writes(T_add[v_ax0, v_ax1, v_ax2])
                T_add[v_ax0, v_ax1, v_ax2] = matmul1[v_ax0, v_ax1, v_ax2] + p2_bias[v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def add2(x: T.Buffer((T.int64(1), T.int64(49), T.int64(64)), "float32"), permute_dims3: T.Buffer((T.int64(1), T.int64(49), T.int64(64)), "float32"), T_add: T.Buffer((T.int64(1), T.int64(49), T.int64(64)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(49), T.int64(64)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(x[v_ax0, v_ax1, v_ax2], permute_dims3[v_ax0, v_ax1, v_ax2])
                T.writes(T_add[v_ax0, v_ax1, v_ax2])
                T_add[v_ax0, v_ax1, v_ax2] = x[v_ax0, v_ax1, v_ax2] + permute_dims3[v_ax0, v_ax1, v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def add3(matmul2: T.Buffer((T.int64(1), T.int64(49), T.int64(128)), "float32"), c1_bias: T.Buffer((T.int64(128),), "float32"), T_add: T.Buffer((T.int64(1), T.int64(49), T.int64(128)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(49), T.int64(128)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(matmul2[v_ax0, v_ax1, v_ax2], c1_bias[v_ax2])
                T.writes(T_add[v_ax0, v_ax1, v_ax2])
                T_add[v_ax0, v_ax1, v_ax2] = matmul2[v_ax0, v_ax1, v_ax2] + c1_bias[v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def add4(matmul3: T.Buffer((T.int64(1), T.int64(49), T.int64(64)), "float32"), c2_bias: T.Buffer((T.int64(64),), "float32"), T_add: T.Buffer((T.int64(1), T.int64(49), T.int64(64)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(49), T.int64(64)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(matmul3[v_ax0, v_ax1, v_ax2], c2_bias[v_ax2])
                T.writes(T_add[v_ax0, v_ax1, v_ax2])
                T_add[v_ax0, v_ax1, v_ax2] = matmul3[v_ax0, v_ax1, v_ax2] + c2_bias[v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def gelu(add: T.Buffer((T.int64(1), T.int64(64), T.int64(32)), "float32"), T_multiply: T.Buffer((T.int64(1), T.int64(64), T.int64(32)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        T_multiply_1 = T.sblock_alloc_buffer((T.int64(1), T.int64(64), T.int64(32)))
        compute = T.sblock_alloc_buffer((T.int64(1), T.int64(64), T.int64(32)))
        T_multiply_2 = T.sblock_alloc_buffer((T.int64(1), T.int64(64), T.int64(32)))
        T_add = T.sblock_alloc_buffer((T.int64(1), T.int64(64), T.int64(32)))
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(64), T.int64(32)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(add[v_ax0, v_ax1, v_ax2])
                T.writes(T_multiply_1[v_ax0, v_ax1, v_ax2])
                T_multiply_1[v_ax0, v_ax1, v_ax2] = add[v_ax0, v_ax1, v_ax2] * T.float32(0.70710678118654757)
        for i0, i1, i2 in T.grid(T.int64(1), T.int64(64), T.int64(32)):
            with T.sblock("compute"):
                v_i0, v_i1, v_i2 = T.axis.remap("SSS", [i0, i1, i2])
                T.reads(T_multiply_1[v_i0, v_i1, v_i2])
                T.writes(compute[v_i0, v_i1, v_i2])
                compute[v_i0, v_i1, v_i2] = T.erf(T_multiply_1[v_i0, v_i1, v_i2])
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(64), T.int64(32)):
            with T.sblock("T_multiply_1"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(compute[v_ax0, v_ax1, v_ax2])
                T.writes(T_multiply_2[v_ax0, v_ax1, v_ax2])
                T_multiply_2[v_ax0, v_ax1, v_ax2] = compute[v_ax0, v_ax1, v_ax2] * T.float32(0.5)
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(64), T.int64(32)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(T_multiply_2[v_ax0, v_ax1, v_ax2])
                T.writes(T_add[v_ax0, v_ax1, v_ax2])
                T_add[v_ax0, v_ax1, v_ax2] = T.float32(0.5) + T_multiply_2[v_ax0, v_ax1, v_ax2]
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(64), T.int64(32)):
            with T.sblock("T_multiply_2"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(add[v_ax0, v_ax1, v_ax2], T_add[v_ax0, v_ax1, v_ax2])
                T.writes(T_multiply[v_ax0, v_ax1, v_ax2])
                T_multiply[v_ax0, v_ax1, v_ax2] = add[v_ax0, v_ax1, v_ax2] * T_add[v_ax0, v_ax1, v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def gelu1(add3: T.Buffer((T.int64(1), T.int64(49), T.int64(128)), "float32"), T_multiply: T.Buffer((T.int64(1), T.int64(49), T.int64(128)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        T_multiply_1 = T.sblock_alloc_buffer((T.int64(1), T.int64(49), T.int64(128)))
        compute = T.sblock_alloc_buffer((T.int64(1), T.int64(49), T.int64(128)))
        T_multiply_2 = T.sblock_alloc_buffer((T.int64(1), T.int64(49), T.int64(128)))
        T_add = T.sblock_alloc_buffer((T.int64(1), T.int64(49), T.int64(128)))
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(49), T.int64(128)):
            with T.sblock("T_multiply"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(add3[v_ax0, v_ax1, v_ax2])
                T.writes(T_multiply_1[v_ax0, v_ax1, v_ax2])
                T_multiply_1[v_ax0, v_ax1, v_ax2] = add3[v_ax0, v_ax1, v_ax2] * T.float32(0.70710678118654757)
        for i0, i1, i2 in T.grid(T.int64(1), T.int64(49), T.int64(128)):
            with T.sblock("compute"):
                v_i0, v_i1, v_i2 = T.axis.remap("SSS", [i0, i1, i2])
                T.reads(T_multiply_1[v_i0, v_i1, v_i2])
                T.writes(compute[v_i0, v_i1, v_i2])
                compute[v_i0, v_i1, v_i2] = T.erf(T_multiply_1[v_i0, v_i1, v_i2])
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(49), T.int64(128)):
            with T.sblock("T_multiply_1"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(compute[v_ax0, v_ax1, v_ax2])
                T.writes(T_multiply_2[v_ax0, v_ax1, v_ax2])
                T_multiply_2[v_ax0, v_ax1, v_ax2] = compute[v_ax0, v_ax1, v_ax2] * T.float32(0.5)
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(49), T.int64(128)):
            with T.sblock("T_add"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(T_multiply_2[v_ax0, v_ax1, v_ax2])
                T.writes(T_add[v_ax0, v_ax1, v_ax2])
                T_add[v_ax0, v_ax1, v_ax2] = T.float32(0.5) + T_multiply_2[v_ax0, v_ax1, v_ax2]
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(49), T.int64(128)):
            with T.sblock("T_multiply_2"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(add3[v_ax0, v_ax1, v_ax2], T_add[v_ax0, v_ax1, v_ax2])
                T.writes(T_multiply[v_ax0, v_ax1, v_ax2])
                T_multiply[v_ax0, v_ax1, v_ax2] = add3[v_ax0, v_ax1, v_ax2] * T_add[v_ax0, v_ax1, v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def layer_norm(x: T.Buffer((T.int64(1), T.int64(49), T.int64(64)), "float32"), n1_weight: T.Buffer((T.int64(64),), "float32"), n1_bias: T.Buffer((T.int64(64),), "float32"), T_layer_norm: T.Buffer((T.int64(1), T.int64(49), T.int64(64)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        x_sum = T.sblock_alloc_buffer((T.int64(1), T.int64(49)))
        x_mean = T.sblock_alloc_buffer((T.int64(1), T.int64(49)))
        x_var_sum = T.sblock_alloc_buffer((T.int64(1), T.int64(49)))
        for ax0, ax1, k2 in T.grid(T.int64(1), T.int64(49), T.int64(64)):
            with T.sblock("x_sum"):
                v_ax0, v_ax1, v_k2 = T.axis.remap("SSR", [ax0, ax1, k2])
                T.reads(x[v_ax0, v_ax1, v_k2])
                T.writes(x_sum[v_ax0, v_ax1])
                with T.init():
                    x_sum[v_ax0, v_ax1] = T.float32(0.0)
                x_sum[v_ax0, v_ax1] = x_sum[v_ax0, v_ax1] + x[v_ax0, v_ax1, v_k2]
        for ax0, ax1 in T.grid(T.int64(1), T.int64(49)):
            with T.sblock("x_mean"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(x_sum[v_ax0, v_ax1])
                T.writes(x_mean[v_ax0, v_ax1])
                x_mean[v_ax0, v_ax1] = x_sum[v_ax0, v_ax1] / T.float32(64.0)
        for ax0, ax1, k2 in T.grid(T.int64(1), T.int64(49), T.int64(64)):
            with T.sblock("x_var_sum"):
                v_ax0, v_ax1, v_k2 = T.axis.remap("SSR", [ax0, ax1, k2])
                T.reads(x[v_ax0, v_ax1, v_k2], x_mean[v_ax0, v_ax1])
                T.writes(x_var_sum[v_ax0, v_ax1])
                with T.init():
                    x_var_sum[v_ax0, v_ax1] = T.float32(0.0)
                x_var_sum[v_ax0, v_ax1] = x_var_sum[v_ax0, v_ax1] + (x[v_ax0, v_ax1, v_k2] - x_mean[v_ax0, v_ax1]) * (x[v_ax0, v_ax1, v_k2] - x_mean[v_ax0, v_ax1])
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(49), T.int64(64)):
            with T.sblock("T_layer_norm"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(x[v_ax0, v_ax1, v_ax2], x_mean[v_ax0, v_ax1], x_var_sum[v_ax0, v_ax1], n1_weight[v_ax2], n1_bias[v_ax2])
                T.writes(T_layer_norm[v_ax0, v_ax1, v_ax2])
                T_layer_norm[v_ax0, v_ax1, v_ax2] = (x[v_ax0, v_ax1, v_ax2] - x_mean[v_ax0, v_ax1]) * T.rsqrt(x_var_sum[v_ax0, v_ax1] / T.float32(64.0) + T.float32(1.0000000000000001e-05)) * n1_weight[v_ax2] + n1_bias[v_ax2]

    @T.prim_func(private=True, s_tir=True)
    def matmul(permute_dims: T.Buffer((T.int64(1), T.int64(64), T.int64(49)), "float32"), permute_dims1: T.Buffer((T.int64(49), T.int64(32)), "float32"), matmul: T.Buffer((T.int64(1), T.int64(64), T.int64(32)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, k in T.grid(T.int64(1), T.int64(64), T.int64(32), T.int64(49)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_i2, v_k = T.axis.remap("SSSR", [i0, i1, i2, k])
                T.reads(permute_dims[v_i0, v_i1, v_k], permute_dims1[v_k, v_i2])
                T.writes(matmul[v_i0, v_i1, v_i2])
                with T.init():
                    matmul[v_i0, v_i1, v_i2] = T.float32(0.0)
                matmul[v_i0, v_i1, v_i2] = matmul[v_i0, v_i1, v_i2] + permute_dims[v_i0, v_i1, v_k] * permute_dims1[v_k, v_i2]

    @T.prim_func(private=True, s_tir=True)
    def matmul1(gelu: T.Buffer((T.int64(1), T.int64(64), T.int64(32)), "float32"), permute_dims2: T.Buffer((T.int64(32), T.int64(49)), "float32"), matmul: T.Buffer((T.int64(1), T.int64(64), T.int64(49)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, k in T.grid(T.int64(1), T.int64(64), T.int64(49), T.int64(32)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_i2, v_k = T.axis.remap("SSSR", [i0, i1, i2, k])
                T.reads(gelu[v_i0, v_i1, v_k], permute_dims2[v_k, v_i2])
                T.writes(matmul[v_i0, v_i1, v_i2])
                with T.init():
                    matmul[v_i0, v_i1, v_i2] = T.float32(0.0)
                matmul[v_i0, v_i1, v_i2] = matmul[v_i0, v_i1, v_i2] + gelu[v_i0, v_i1, v_k] * permute_dims2[v_k, v_i2]

    @T.prim_func(private=True, s_tir=True)
    def matmul2(layer_norm1: T.Buffer((T.int64(1), T.int64(49), T.int64(64)), "float32"), permute_dims4: T.Buffer((T.int64(64), T.int64(128)), "float32"), matmul: T.Buffer((T.int64(1), T.int64(49), T.int64(128)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, k in T.grid(T.int64(1), T.int64(49), T.int64(128), T.int64(64)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_i2, v_k = T.axis.remap("SSSR", [i0, i1, i2, k])
                T.reads(layer_norm1[v_i0, v_i1, v_k], permute_dims4[v_k, v_i2])
                T.writes(matmul[v_i0, v_i1, v_i2])
                with T.init():
                    matmul[v_i0, v_i1, v_i2] = T.float32(0.0)
                matmul[v_i0, v_i1, v_i2] = matmul[v_i0, v_i1, v_i2] + layer_norm1[v_i0, v_i1, v_k] * permute_dims4[v_k, v_i2]

    @T.prim_func(private=True, s_tir=True)
    def matmul3(gelu1: T.Buffer((T.int64(1), T.int64(49), T.int64(128)), "float32"), permute_dims5: T.Buffer((T.int64(128), T.int64(64)), "float32"), matmul: T.Buffer((T.int64(1), T.int64(49), T.int64(64)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for i0, i1, i2, k in T.grid(T.int64(1), T.int64(49), T.int64(64), T.int64(128)):
            with T.sblock("matmul"):
                v_i0, v_i1, v_i2, v_k = T.axis.remap("SSSR", [i0, i1, i2, k])
                T.reads(gelu1[v_i0, v_i1, v_k], permute_dims5[v_k, v_i2])
                T.writes(matmul[v_i0, v_i1, v_i2])
                with T.init():
                    matmul[v_i0, v_i1, v_i2] = T.float32(0.0)
                matmul[v_i0, v_i1, v_i2] = matmul[v_i0, v_i1, v_i2] + gelu1[v_i0, v_i1, v_k] * permute_dims5[v_k, v_i2]

    @T.prim_func(private=True, s_tir=True)
    def transpose(layer_norm: T.Buffer((T.int64(1), T.int64(49), T.int64(64)), "float32"), T_transpose: T.Buffer((T.int64(1), T.int64(64), T.int64(49)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(64), T.int64(49)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(layer_norm[v_ax0, v_ax2, v_ax1])
                T.writes(T_transpose[v_ax0, v_ax1, v_ax2])
                T_transpose[v_ax0, v_ax1, v_ax2] = layer_norm[v_ax0, v_ax2, v_ax1]

    @T.prim_func(private=True, s_tir=True)
    def transpose1(p1_weight: T.Buffer((T.int64(32), T.int64(49)), "float32"), T_transpose: T.Buffer((T.int64(49), T.int64(32)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(T.int64(49), T.int64(32)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(p1_weight[v_ax1, v_ax0])
                T.writes(T_transpose[v_ax0, v_ax1])
                T_transpose[v_ax0, v_ax1] = p1_weight[v_ax1, v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def transpose2(p2_weight: T.Buffer((T.int64(49), T.int64(32)), "float32"), T_transpose: T.Buffer((T.int64(32), T.int64(49)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(T.int64(32), T.int64(49)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(p2_weight[v_ax1, v_ax0])
                T.writes(T_transpose[v_ax0, v_ax1])
                T_transpose[v_ax0, v_ax1] = p2_weight[v_ax1, v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def transpose3(add1: T.Buffer((T.int64(1), T.int64(64), T.int64(49)), "float32"), T_transpose: T.Buffer((T.int64(1), T.int64(49), T.int64(64)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(49), T.int64(64)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
                T.reads(add1[v_ax0, v_ax2, v_ax1])
                T.writes(T_transpose[v_ax0, v_ax1, v_ax2])
                T_transpose[v_ax0, v_ax1, v_ax2] = add1[v_ax0, v_ax2, v_ax1]

    @T.prim_func(private=True, s_tir=True)
    def transpose4(c1_weight: T.Buffer((T.int64(128), T.int64(64)), "float32"), T_transpose: T.Buffer((T.int64(64), T.int64(128)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(T.int64(64), T.int64(128)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(c1_weight[v_ax1, v_ax0])
                T.writes(T_transpose[v_ax0, v_ax1])
                T_transpose[v_ax0, v_ax1] = c1_weight[v_ax1, v_ax0]

    @T.prim_func(private=True, s_tir=True)
    def transpose5(c2_weight: T.Buffer((T.int64(64), T.int64(128)), "float32"), T_transpose: T.Buffer((T.int64(128), T.int64(64)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(T.int64(128), T.int64(64)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(c2_weight[v_ax1, v_ax0])
                T.writes(T_transpose[v_ax0, v_ax1])
                T_transpose[v_ax0, v_ax1] = c2_weight[v_ax1, v_ax0]

    @R.function
    def main(x: R.Tensor((1, 49, 64), dtype="float32"), n1_weight: R.Tensor((64,), dtype="float32"), n1_bias: R.Tensor((64,), dtype="float32"), n2_weight: R.Tensor((64,), dtype="float32"), n2_bias: R.Tensor((64,), dtype="float32"), p1_weight: R.Tensor((32, 49), dtype="float32"), p1_bias: R.Tensor((32,), dtype="float32"), p2_weight: R.Tensor((49, 32), dtype="float32"), p2_bias: R.Tensor((49,), dtype="float32"), c1_weight: R.Tensor((128, 64), dtype="float32"), c1_bias: R.Tensor((128,), dtype="float32"), c2_weight: R.Tensor((64, 128), dtype="float32"), c2_bias: R.Tensor((64,), dtype="float32")) -> R.Tensor((1, 49, 64), dtype="float32"):
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            layer_norm = R.call_tir(cls.layer_norm, (x, n1_weight, n1_bias), out_ty=R.Tensor((1, 49, 64), dtype="float32"))
            permute_dims = R.call_tir(cls.transpose, (layer_norm,), out_ty=R.Tensor((1, 64, 49), dtype="float32"))
            permute_dims1 = R.call_tir(cls.transpose1, (p1_weight,), out_ty=R.Tensor((49, 32), dtype="float32"))
            matmul = R.call_tir(cls.matmul, (permute_dims, permute_dims1), out_ty=R.Tensor((1, 64, 32), dtype="float32"))
            add = R.call_tir(cls.add, (matmul, p1_bias), out_ty=R.Tensor((1, 64, 32), dtype="float32"))
            gelu = R.call_tir(cls.gelu, (add,), out_ty=R.Tensor((1, 64, 32), dtype="float32"))
            permute_dims2 = R.call_tir(cls.transpose2, (p2_weight,), out_ty=R.Tensor((32, 49), dtype="float32"))
            matmul1 = R.call_tir(cls.matmul1, (gelu, permute_dims2), out_ty=R.Tensor((1, 64, 49), dtype="float32"))
            add1 = R.call_tir(cls.add1, (matmul1, p2_bias), out_ty=R.Tensor((1, 64, 49), dtype="float32"))
            permute_dims3 = R.call_tir(cls.transpose3, (add1,), out_ty=R.Tensor((1, 49, 64), dtype="float32"))
            add2 = R.call_tir(cls.add2, (x, permute_dims3), out_ty=R.Tensor((1, 49, 64), dtype="float32"))
            layer_norm1 = R.call_tir(cls.layer_norm, (add2, n2_weight, n2_bias), out_ty=R.Tensor((1, 49, 64), dtype="float32"))
            permute_dims4 = R.call_tir(cls.transpose4, (c1_weight,), out_ty=R.Tensor((64, 128), dtype="float32"))
            matmul2 = R.call_tir(cls.matmul2, (layer_norm1, permute_dims4), out_ty=R.Tensor((1, 49, 128), dtype="float32"))
            add3 = R.call_tir(cls.add3, (matmul2, c1_bias), out_ty=R.Tensor((1, 49, 128), dtype="float32"))
            gelu1 = R.call_tir(cls.gelu1, (add3,), out_ty=R.Tensor((1, 49, 128), dtype="float32"))
            permute_dims5 = R.call_tir(cls.transpose5, (c2_weight,), out_ty=R.Tensor((128, 64), dtype="float32"))
            matmul3 = R.call_tir(cls.matmul3, (gelu1, permute_dims5), out_ty=R.Tensor((1, 49, 64), dtype="float32"))
            add4 = R.call_tir(cls.add4, (matmul3, c2_bias), out_ty=R.Tensor((1, 49, 64), dtype="float32"))
            add5 = R.call_tir(cls.add2, (add2, add4), out_ty=R.Tensor((1, 49, 64), dtype="float32"))
            gv: R.Tensor((1, 49, 64), dtype="float32") = add5
            R.output(gv)
        return gv
