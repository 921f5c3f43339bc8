# reads: yes; @I.ir_module(s_tir=True) with one function
from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module(s_tir=True)
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((T.int64(4), T.int64(5)), "float32"), B: T.Buffer((T.int64(5), T.int64(4)), "float32")):
        T.func_attr({"tir.noalias": True})
        # with T.sblock("root"):
        for ax0, ax1 in T.grid(T.int64(5), T.int64(4)):
            with T.sblock("T_transpose"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(A[v_ax1, v_ax0])
                T.writes(B[v_ax0, v_ax1])
                B[v_ax0, v_ax1] = A[v_ax1, v_ax0]
