# One tensor that a maximum pool and a convolution read, with different halos.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Net:
    @T.prim_func(private=True)
    def scale(t: T.Buffer((T.int64(1), T.int64(5), T.int64(4), T.int64(4)), "float32"), z: T.Buffer((T.int64(1), T.int64(5), T.int64(4), T.int64(4)), "float32")):
        for n, c, y, x in T.grid(T.int64(1), T.int64(5), T.int64(4), T.int64(4)):
            with T.block("scale"):
                vn, vc, vy, vx = T.axis.remap("SSSS", [n, c, y, x])
                z[vn, vc, vy, vx] = t[vn, vc, vy, vx] * T.float32(2.0)

    @T.prim_func(private=True)
    def pool(t: T.Buffer((T.int64(1), T.int64(5), T.int64(4), T.int64(4)), "float32"), z: T.Buffer((T.int64(1), T.int64(5), T.int64(4), T.int64(4)), "float32")):
        for n, c, y, x, r, s in T.grid(T.int64(1), T.int64(5), T.int64(4), T.int64(4), T.int64(3), T.int64(3)):
            with T.block("pool"):
                vn, vc, vy, vx, vr, vs = T.axis.remap("SSSSRR", [n, c, y, x, r, s])
                with T.init():
                    z[vn, vc, vy, vx] = T.min_value("float32")
                z[vn, vc, vy, vx] = T.max(z[vn, vc, vy, vx], T.if_then_else(T.int64(1) <= vy + vr and vy + vr < T.int64(5) and T.int64(1) <= vx + vs and vx + vs < T.int64(5), t[vn, vc, vy + vr - T.int64(1), vx + vs - T.int64(1)], T.min_value("float32")))

    @T.prim_func(private=True)
    def conv(t: T.Buffer((T.int64(1), T.int64(5), T.int64(4), T.int64(4)), "float32"), w: T.Buffer((T.int64(5), T.int64(5), T.int64(3), T.int64(3)), "float32"), z: T.Buffer((T.int64(1), T.int64(5), T.int64(4), T.int64(4)), "float32")):
        for n, o, y, x, c, r, s in T.grid(T.int64(1), T.int64(5), T.int64(4), T.int64(4), T.int64(5), T.int64(3), T.int64(3)):
            with T.block("conv"):
                vn, vo, vy, vx, vc, vr, vs = T.axis.remap("SSSSRRR", [n, o, y, x, c, r, s])
                with T.init():
                    z[vn, vo, vy, vx] = T.float32(0.0)
                z[vn, vo, vy, vx] = z[vn, vo, vy, vx] + T.if_then_else(T.int64(1) <= vy + vr and vy + vr < T.int64(5) and T.int64(1) <= vx + vs and vx + vs < T.int64(5), t[vn, vc, vy + vr - T.int64(1), vx + vs - T.int64(1)], T.float32(0.0)) * w[vo, vc, vr, vs]

    @R.function
    def net(x: R.Tensor((1, 5, 4, 4), dtype="float32"), w: R.Tensor((5, 5, 3, 3), dtype="float32")) -> R.Tuple(R.Tensor((1, 5, 4, 4), dtype="float32"), R.Tensor((1, 5, 4, 4), dtype="float32")):
        R.func_attr({"num_input": 1})
        cls = Net
        with R.dataflow():
            t = R.call_tir(cls.scale, (x,), out_sinfo=R.Tensor((1, 5, 4, 4), dtype="float32"))
            p = R.call_tir(cls.pool, (t,), out_sinfo=R.Tensor((1, 5, 4, 4), dtype="float32"))
            c = R.call_tir(cls.conv, (t, w), out_sinfo=R.Tensor((1, 5, 4, 4), dtype="float32"))
            R.output(p, c)
        return (p, c)
