# Pointwise convolution of 27 channels, rectifier, pointwise convolution.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Net:
    @T.prim_func(private=True)
    def pointwise(x: T.Buffer((T.int64(4), T.int64(27)), "float32"), w: T.Buffer((T.int64(27), T.int64(27)), "float32"), y: T.Buffer((T.int64(4), T.int64(27)), "float32")):
        for p, o, c in T.grid(T.int64(4), T.int64(27), T.int64(27)):
            with T.block("pointwise"):
                vp, vo, vc = T.axis.remap("SSR", [p, o, c])
                with T.init():
                    y[vp, vo] = T.float32(0.0)
                y[vp, vo] = y[vp, vo] + x[vp, vc] * w[vo, vc]

    @T.prim_func(private=True)
    def relu(x: T.Buffer((T.int64(4), T.int64(27)), "float32"), y: T.Buffer((T.int64(4), T.int64(27)), "float32")):
        for p, o in T.grid(T.int64(4), T.int64(27)):
            with T.block("relu"):
                vp, vo = T.axis.remap("SS", [p, o])
                y[vp, vo] = T.max(x[vp, vo], T.float32(0.0))

    @R.function
    def net(x: R.Tensor((4, 27), dtype="float32"), w1: R.Tensor((27, 27), dtype="float32"), w2: R.Tensor((27, 27), dtype="float32")) -> R.Tensor((4, 27), dtype="float32"):
        R.func_attr({"num_input": 1})
        cls = Net
        with R.dataflow():
            a = R.call_tir(cls.pointwise, (x, w1), out_sinfo=R.Tensor((4, 27), dtype="float32"))
            b = R.call_tir(cls.relu, (a,), out_sinfo=R.Tensor((4, 27), dtype="float32"))
            y = R.call_tir(cls.pointwise, (b, w2), out_sinfo=R.Tensor((4, 27), dtype="float32"))
            R.output(y)
        return y
