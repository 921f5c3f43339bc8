# reads: yes; a function of Relax that calls one of loops
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def relu(x: T.Buffer((T.int64(1), T.int64(64)), "float32"), y: T.Buffer((T.int64(1), T.int64(64)), "float32")):
        T.func_attr({"tir.noalias": True})
        # with T.block("root"):
        for i0, i1 in T.grid(T.int64(1), T.int64(64)):
            with T.block("relu"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(x[v_i0, v_i1])
                T.writes(y[v_i0, v_i1])
                y[v_i0, v_i1] = T.max(x[v_i0, v_i1], T.float32(0.0))

    @R.function
    def main(x: R.Tensor((1, 64), dtype="float32")) -> R.Tensor((1, 64), dtype="float32"):
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.relu, (x,), out_sinfo=R.Tensor((1, 64), dtype="float32"))
            R.output(gv)
        return gv
