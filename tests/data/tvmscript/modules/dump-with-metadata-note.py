# reads: yes; the comment that a dump writes where it leaves out metadata
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module(s_tir=True)
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((T.int64(2), T.int64(128)), "float32"), T_sum: T.Buffer((T.int64(2),), "float32")):
        T.func_attr({"op_pattern": 3, "tir.noalias": True})
        # with T.sblock("root"):
        for ax0, k1 in T.grid(T.int64(2), T.int64(128)):
            with T.sblock("A_red"):
                v_ax0, v_k1 = T.axis.remap("SR", [ax0, k1])
                T.reads(A[v_ax0, v_k1])
                T.writes(T_sum[v_ax0])
                with T.init():
                    T_sum[v_ax0] = T.float32(0.0)
                T_sum[v_ax0] = T_sum[v_ax0] + A[v_ax0, v_k1]

# Metadata omitted. Use show_meta=True in script() method to show it.
