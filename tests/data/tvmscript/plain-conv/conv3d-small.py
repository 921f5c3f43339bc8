# reads: yes; six reduction and spatial loops of a 3-D convolution
import tvm
from tvm.script import tir as T


@T.prim_func
def conv3d(x: T.Buffer((1, 2, 6, 6, 6), "float32"), w: T.Buffer((3, 2, 3, 3, 3), "float32"), y: T.Buffer((1, 3, 4, 4, 4), "float32")):
    for n, o, d, h, l, c, rd, rh, rl in T.grid(1, 3, 4, 4, 4, 2, 3, 3, 3):
        with T.sblock("conv3d_ncdhw"):
            vn, vo, vd, vh, vl, vc, vrd, vrh, vrl = T.axis.remap("SSSSSRRRR", [n, o, d, h, l, c, rd, rh, rl])
            with T.init():
                y[vn, vo, vd, vh, vl] = T.float32(0)
            y[vn, vo, vd, vh, vl] += x[vn, vc, vd + vrd, vh + vrh, vl + vrl] * w[vo, vc, vrd, vrh, vrl]
