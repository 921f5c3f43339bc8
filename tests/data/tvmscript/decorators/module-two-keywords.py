# reads: yes; check_well_formed and s_tir on a module
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module(check_well_formed=False, s_tir=True)
class Expected:
    @T.prim_func(private=True, s_tir=True)
    def relu(x: T.Buffer((6, 9), "float16"), y: T.Buffer((6, 9), "float16")):
        for i, j in T.grid(6, 9):
            with T.sblock("relu"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = T.max(x[vi, vj], T.float16(0))
