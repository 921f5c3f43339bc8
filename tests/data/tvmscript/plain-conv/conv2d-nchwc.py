# reads: yes; a blocked channel layout
from tvm.script import tir as T


@T.prim_func
def conv2d_NCHWc(x: T.Buffer((1, 2, 12, 12, 4), "float32"), w: T.Buffer((3, 2, 3, 3, 4, 8), "float32"), y: T.Buffer((1, 3, 10, 10, 8), "float32")):
    for n, oc, oh, ow, ob, ic, kh, kw in T.grid(1, 3, 10, 10, 8, 8, 3, 3):
        with T.block("conv2d_NCHWc"):
            vn, voc, voh, vow, vob, vic, vkh, vkw = T.axis.remap("SSSSSRRR", [n, oc, oh, ow, ob, ic, kh, kw])
            with T.init():
                y[vn, voc, voh, vow, vob] = T.float32(0)
            y[vn, voc, voh, vow, vob] += x[vn, vic // 4, voh + vkh, vow + vkw, vic % 4] * w[voc, vic // 4, vkh, vkw, vic % 4, vob]
