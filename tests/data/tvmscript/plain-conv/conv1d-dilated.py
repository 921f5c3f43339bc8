# reads: yes; dilation 3 in one dimension
from tvm.script import tir as T


@T.prim_func
def conv1d(x: T.Buffer((1, 8, 40), "float32"), w: T.Buffer((4, 8, 5), "float32"), y: T.Buffer((1, 4, 28), "float32")):
    for n, o, t, c, k in T.grid(1, 4, 28, 8, 5):
        with T.block("conv1d_ncw"):
            vn, vo, vt, vc, vk = T.axis.remap("SSSRR", [n, o, t, c, k])
            T.reads(x[vn, vc, vt + vk * 3], w[vo, vc, vk])
            T.writes(y[vn, vo, vt])
            with T.init():
                y[vn, vo, vt] = T.float32(0)
            y[vn, vo, vt] = y[vn, vo, vt] + x[vn, vc, vt + vk * 3] * w[vo, vc, vk]
