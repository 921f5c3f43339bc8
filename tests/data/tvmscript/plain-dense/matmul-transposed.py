# reads: yes; NT_matmul as Relax legalizes it
import tvm
from tvm.script import ir as I, tir as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def NT_matmul(x: T.Buffer((T.int64(1), T.int64(40), T.int64(256)), "float32"), w: T.Buffer((T.int64(512), T.int64(256)), "float32"), NT_matmul: T.Buffer((T.int64(1), T.int64(40), T.int64(512)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i0, i1, i2, k in T.grid(T.int64(1), T.int64(40), T.int64(512), T.int64(256)):
            with T.block("NT_matmul"):
                v_i0, v_i1, v_i2, v_k = T.axis.remap("SSSR", [i0, i1, i2, k])
                T.reads(x[v_i0, v_i1, v_k], w[v_i2, v_k])
                T.writes(NT_matmul[v_i0, v_i1, v_i2])
                with T.init():
                    NT_matmul[v_i0, v_i1, v_i2] = T.float32(0.0)
                NT_matmul[v_i0, v_i1, v_i2] = NT_matmul[v_i0, v_i1, v_i2] + x[v_i0, v_i1, v_k] * w[v_i2, v_k]
