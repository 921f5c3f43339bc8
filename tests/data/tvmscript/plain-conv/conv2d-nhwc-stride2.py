# reads: yes; strides of two, no padding
from tvm.script import tir as T


@T.prim_func
def conv2d_nhwc(x: T.Buffer((2, 17, 17, 4), "float32"), w: T.Buffer((3, 3, 4, 8), "float32"), y: T.Buffer((2, 8, 8, 8), "float32")):
    T.func_attr({"global_symbol": "conv2d_nhwc", "tir.noalias": True})
    for n, h, ww, co, rh, rw, rc in T.grid(2, 8, 8, 8, 3, 3, 4):
        with T.block("conv2d_nhwc"):
            vn, vh, vw, vco, vrh, vrw, vrc = T.axis.remap("SSSSRRR", [n, h, ww, co, rh, rw, rc])
            T.reads(x[vn, vh * 2 + vrh, vw * 2 + vrw, vrc], w[vrh, vrw, vrc, vco])
            T.writes(y[vn, vh, vw, vco])
            with T.init():
                y[vn, vh, vw, vco] = T.float32(0)
            y[vn, vh, vw, vco] = y[vn, vh, vw, vco] + x[vn, vh * 2 + vrh, vw * 2 + vrw, vrc] * w[vrh, vrw, vrc, vco]
