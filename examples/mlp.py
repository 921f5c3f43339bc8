# A network as TVM prints it after LegalizeOps: two dense layers, and the rectifier between them.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Net:
    @T.prim_func(private=True)
    def hidden(x: T.Buffer((T.int64(3), T.int64(10)), "float32"), w: T.Buffer((T.int64(7), T.int64(10)), "float32"), y: T.Buffer((T.int64(3), T.int64(7)), "float32")):
        for i, j, k in T.grid(T.int64(3), T.int64(7), T.int64(10)):
            with T.block("hidden"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    y[vi, vj] = 0.0
                y[vi, vj] = y[vi, vj] + x[vi, vk] * w[vj, vk]

    @T.prim_func(private=True)
    def relu(x: T.Buffer((T.int64(3), T.int64(7)), "float32"), y: T.Buffer((T.int64(3), T.int64(7)), "float32")):
        for i, j in T.grid(T.int64(3), T.int64(7)):
            with T.block("relu"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = T.max(x[vi, vj], 0.0)

    @T.prim_func(private=True)
    def scores(x: T.Buffer((T.int64(3), T.int64(7)), "float32"), w: T.Buffer((T.int64(5), T.int64(7)), "float32"), y: T.Buffer((T.int64(3), T.int64(5)), "float32")):
        for i, j, k in T.grid(T.int64(3), T.int64(5), T.int64(7)):
            with T.block("scores"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    y[vi, vj] = 0.0
                y[vi, vj] = y[vi, vj] + x[vi, vk] * w[vj, vk]

    @R.function
    def mlp(x: R.Tensor((3, 10), dtype="float32"), w1: R.Tensor((7, 10), dtype="float32"), w2: R.Tensor((5, 7), dtype="float32")) -> R.Tensor((3, 5), dtype="float32"):
        cls = Net
        with R.dataflow():
            h = R.call_tir(cls.hidden, (x, w1), out_sinfo=R.Tensor((3, 7), dtype="float32"))
            a = R.call_tir(cls.relu, (h,), out_sinfo=R.Tensor((3, 7), dtype="float32"))
            y = R.call_tir(cls.scores, (a, w2), out_sinfo=R.Tensor((3, 5), dtype="float32"))
            R.output(y)
        return y
