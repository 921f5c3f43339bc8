# reads: yes; s_tir=False on a function of flat loops
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module(s_tir=False)
class Module:
    @T.prim_func(s_tir=False)
    def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
        T.func_attr({"target": T.target("llvm"), "tir.is_entry_func": True})
        for i in T.parallel(8):
            for j in T.vectorized(8):
                B[i * 8 + j] = A[i * 8 + j] + T.float32(1.0)
