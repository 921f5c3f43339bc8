# reads: yes; rotary positions, halves exchanged
from tvm.script import tir as T


@T.prim_func
def rope(x: T.Buffer((16, 64), "float32"), c: T.Buffer((16, 64), "float32"), s: T.Buffer((16, 64), "float32"), y: T.Buffer((16, 64), "float32")):
    for p, d in T.grid(16, 64):
        with T.block("rotary"):
            vp, vd = T.axis.remap("SS", [p, d])
            y[vp, vd] = c[vp, vd] * x[vp, vd] + s[vp, vd] * T.if_then_else(vd < 32, x[vp, vd + 32] * T.float32(-1), x[vp, vd - 32])
    for p in range(16):
        y[p, 0] = x[p, 0]
