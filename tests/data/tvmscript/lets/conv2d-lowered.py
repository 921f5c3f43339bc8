# reads: yes; a lowered convolution with named offsets and views of the parameters' data
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(data: T.Buffer((1, 4, 10, 10), "float32"), kernel: T.Buffer((8, 4, 3, 3), "float32"), conv: T.Buffer((1, 8, 8, 8), "float32")):
        T.func_attr({"from_legacy_te_schedule": T.bool(True), "target": T.target({"keys": ["cpu"], "kind": "llvm", "mcpu": "cascadelake", "tag": ""}), "tir.noalias": T.bool(True)})
        data_1 = T.Buffer((400,), data=data.data)
        kernel_1 = T.Buffer((288,), data=kernel.data)
        conv_1 = T.Buffer((512,), data=conv.data)
        for ff_yy_fused in T.parallel(64):
            acc_1 = T.allocate([8], "float32", "local")
            acc = T.Buffer((8,), data=acc_1, scope="local")
            for xx_init in range(8):
                acc[xx_init] = T.float32(0)
            cse_var_1: T.int32 = ff_yy_fused // 8 * 36
            for rc in range(4):
                cse_var_2: T.int32 = rc * 100 + ff_yy_fused % 8 * 10
                for ry, rx in T.grid(3, 3):
                    cse_var_3: T.int32 = cse_var_2 + ry * 10
                    for xx in range(8):
                        acc[xx] = acc[xx] + data_1[cse_var_3 + xx + rx] * kernel_1[cse_var_1 + rc * 9 + ry * 3 + rx]
            for xx in T.vectorized(8):
                conv_1[ff_yy_fused * 8 + xx] = acc[xx]
