# A residual: what a product reads is added to it.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Net:
    @T.prim_func(private=True)
    def relu(x: T.Buffer((T.int64(3), T.int64(10)), "float32"), y: T.Buffer((T.int64(3), T.int64(10)), "float32")):
        for p, o in T.grid(T.int64(3), T.int64(10)):
            with T.block("relu"):
                vp, vo = T.axis.remap("SS", [p, o])
                y[vp, vo] = T.max(x[vp, vo], T.float32(0.0))

    @T.prim_func(private=True)
    def dense(x: T.Buffer((T.int64(3), T.int64(10)), "float32"), w: T.Buffer((T.int64(10), T.int64(10)), "float32"), y: T.Buffer((T.int64(3), T.int64(10)), "float32")):
        for p, o, c in T.grid(T.int64(3), T.int64(10), T.int64(10)):
            with T.block("dense"):
                vp, vo, vc = T.axis.remap("SSR", [p, o, c])
                with T.init():
                    y[vp, vo] = T.float32(0.0)
                y[vp, vo] = y[vp, vo] + x[vp, vc] * w[vo, vc]

    @T.prim_func(private=True)
    def add(x: T.Buffer((T.int64(3), T.int64(10)), "float32"), y: T.Buffer((T.int64(3), T.int64(10)), "float32"), z: T.Buffer((T.int64(3), T.int64(10)), "float32")):
        for p, o in T.grid(T.int64(3), T.int64(10)):
            with T.block("add"):
                vp, vo = T.axis.remap("SS", [p, o])
                z[vp, vo] = x[vp, vo] + y[vp, vo]

    @R.function
    def net(x: R.Tensor((3, 10), dtype="float32"), w: R.Tensor((10, 10), dtype="float32")) -> R.Tensor((3, 10), dtype="float32"):
        R.func_attr({"num_input": 1})
        cls = Net
        with R.dataflow():
            b = R.call_tir(cls.relu, (x,), out_sinfo=R.Tensor((3, 10), dtype="float32"))
            d = R.call_tir(cls.dense, (b, w), out_sinfo=R.Tensor((3, 10), dtype="float32"))
            y = R.call_tir(cls.add, (d, b), out_sinfo=R.Tensor((3, 10), dtype="float32"))
            R.output(y)
        return y
