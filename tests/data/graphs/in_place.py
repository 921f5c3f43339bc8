# A rectifier in place, between two element-wise operators.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Net:
    @T.prim_func(private=True)
    def twice(x: T.Buffer((T.int64(3), T.int64(10)), "float32"), y: T.Buffer((T.int64(3), T.int64(10)), "float32")):
        for i, j in T.grid(T.int64(3), T.int64(10)):
            with T.block("twice"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = x[vi, vj] * T.float32(2.0)

    @T.prim_func(private=True)
    def relu(x: T.Buffer((T.int64(3), T.int64(10)), "float32")):
        for i, j in T.grid(T.int64(3), T.int64(10)):
            with T.block("relu"):
                vi, vj = T.axis.remap("SS", [i, j])
                x[vi, vj] = T.max(x[vi, vj], T.float32(0.0))

    @R.function
    def net(x: R.Tensor((3, 10), dtype="float32")) -> R.Tensor((3, 10), dtype="float32"):
        cls = Net
        with R.dataflow():
            a = R.call_tir(cls.twice, (x,), out_sinfo=R.Tensor((3, 10), dtype="float32"))
            b = R.call_tir_inplace(cls.relu, (a,), out_sinfo=R.Tensor((3, 10), dtype="float32"), inplace_indices=[0])
            y = R.call_tir(cls.twice, (b,), out_sinfo=R.Tensor((3, 10), dtype="float32"))
            R.output(y)
        return y
