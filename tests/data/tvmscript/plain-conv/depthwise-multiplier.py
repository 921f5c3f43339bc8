# reads: yes; a depthwise convolution with a channel multiplier of 2
from tvm.script import tir as T


@T.prim_func
def depthwise(x: T.Buffer((1, 6, 14, 14), "float32"), w: T.Buffer((6, 2, 3, 3), "float32"), y: T.Buffer((1, 12, 12, 12), "float32")):
    for b, c, i, j, di, dj in T.grid(1, 12, 12, 12, 3, 3):
        with T.block("DepthwiseConv2d"):
            vb, vc, vi, vj, vdi, vdj = T.axis.remap("SSSSRR", [b, c, i, j, di, dj])
            with T.init():
                y[vb, vc, vi, vj] = T.float32(0)
            y[vb, vc, vi, vj] += x[vb, vc // 2, vi + vdi, vj + vdj] * w[vc // 2, vc % 2, vdi, vdj]
