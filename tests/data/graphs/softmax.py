# A softmax over 197 columns between two products, as in an encoder of images.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Net:
    @T.prim_func(private=True)
    def twice(x: T.Buffer((T.int64(2), T.int64(197)), "float32"), y: T.Buffer((T.int64(2), T.int64(197)), "float32")):
        for i, j in T.grid(T.int64(2), T.int64(197)):
            with T.block("twice"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = x[vi, vj] * T.float32(2.0)

    @T.prim_func(private=True)
    def softmax(x: T.Buffer((T.int64(2), T.int64(197)), "float32"), y: T.Buffer((T.int64(2), T.int64(197)), "float32")):
        largest = T.alloc_buffer((T.int64(2),), "float32")
        power = T.alloc_buffer((T.int64(2), T.int64(197)), "float32")
        total = T.alloc_buffer((T.int64(2),), "float32")
        for i, k in T.grid(T.int64(2), T.int64(197)):
            with T.block("largest"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    largest[vi] = T.min_value("float32")
                largest[vi] = T.max(largest[vi], x[vi, vk])
        for i, j in T.grid(T.int64(2), T.int64(197)):
            with T.block("power"):
                vi, vj = T.axis.remap("SS", [i, j])
                power[vi, vj] = T.exp(x[vi, vj] - largest[vi])
        for i, k in T.grid(T.int64(2), T.int64(197)):
            with T.block("total"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    total[vi] = T.float32(0.0)
                total[vi] = total[vi] + power[vi, vk]
        for i, j in T.grid(T.int64(2), T.int64(197)):
            with T.block("share"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = power[vi, vj] / total[vi]

    @R.function
    def net(x: R.Tensor((2, 197), dtype="float32")) -> R.Tensor((2, 197), dtype="float32"):
        cls = Net
        with R.dataflow():
            a = R.call_tir(cls.twice, (x,), out_sinfo=R.Tensor((2, 197), dtype="float32"))
            b = R.call_tir(cls.softmax, (a,), out_sinfo=R.Tensor((2, 197), dtype="float32"))
            y = R.call_tir(cls.twice, (b,), out_sinfo=R.Tensor((2, 197), dtype="float32"))
            R.output(y)
        return y
