# Of one row: the exponential, then a sum over 14 columns.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Net:
    @T.prim_func(private=True)
    def exp(x: T.Buffer((T.int64(1), T.int64(14)), "float32"), y: T.Buffer((T.int64(1), T.int64(14)), "float32")):
        for i, j in T.grid(T.int64(1), T.int64(14)):
            with T.block("exp"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = T.exp(x[vi, vj])

    @T.prim_func(private=True)
    def total(x: T.Buffer((T.int64(1), T.int64(14)), "float32"), y: T.Buffer((T.int64(1),), "float32")):
        for i, k in T.grid(T.int64(1), T.int64(14)):
            with T.block("total"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    y[vi] = T.float32(0.0)
                y[vi] = y[vi] + x[vi, vk]

    @R.function
    def net(x: R.Tensor((1, 14), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        cls = Net
        with R.dataflow():
            e = R.call_tir(cls.exp, (x,), out_sinfo=R.Tensor((1, 14), dtype="float32"))
            y = R.call_tir(cls.total, (e,), out_sinfo=R.Tensor((1,), dtype="float32"))
            R.output(y)
        return y
