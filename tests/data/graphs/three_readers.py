# One tensor that three operators read.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Net:
    @T.prim_func(private=True)
    def relu(x: T.Buffer((T.int64(4), T.int64(10)), "float32"), y: T.Buffer((T.int64(4), T.int64(10)), "float32")):
        for i, j in T.grid(T.int64(4), T.int64(10)):
            with T.block("relu"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = T.max(x[vi, vj], T.float32(0.0))

    @T.prim_func(private=True)
    def twice(x: T.Buffer((T.int64(4), T.int64(10)), "float32"), y: T.Buffer((T.int64(4), T.int64(10)), "float32")):
        for i, j in T.grid(T.int64(4), T.int64(10)):
            with T.block("twice"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = x[vi, vj] * T.float32(2.0)

    @T.prim_func(private=True)
    def half(x: T.Buffer((T.int64(4), T.int64(10)), "float32"), y: T.Buffer((T.int64(4), T.int64(10)), "float32")):
        for i, j in T.grid(T.int64(4), T.int64(10)):
            with T.block("half"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = x[vi, vj] * T.float32(0.5)

    @T.prim_func(private=True)
    def shift(x: T.Buffer((T.int64(4), T.int64(10)), "float32"), y: T.Buffer((T.int64(4), T.int64(10)), "float32")):
        for i, j in T.grid(T.int64(4), T.int64(10)):
            with T.block("shift"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = x[vi, vj] + T.float32(1.0)

    @R.function
    def net(x: R.Tensor((4, 10), dtype="float32")) -> R.Tuple(R.Tensor((4, 10), dtype="float32"), R.Tensor((4, 10), dtype="float32"), R.Tensor((4, 10), dtype="float32")):
        cls = Net
        with R.dataflow():
            t = R.call_tir(cls.relu, (x,), out_sinfo=R.Tensor((4, 10), dtype="float32"))
            a = R.call_tir(cls.twice, (t,), out_sinfo=R.Tensor((4, 10), dtype="float32"))
            b = R.call_tir(cls.half, (t,), out_sinfo=R.Tensor((4, 10), dtype="float32"))
            c = R.call_tir(cls.shift, (t,), out_sinfo=R.Tensor((4, 10), dtype="float32"))
            R.output(a, b, c)
        return (a, b, c)
