# reads: yes; a grouped convolution, channels by division
# from tvm.script import tir as T

@T.prim_func
def group_conv(x: T.Buffer((1, 8, 9, 9), "float32"), w: T.Buffer((12, 2, 3, 3), "float32"), y: T.Buffer((1, 12, 7, 7), "float32")):
    for n, f, i, j, c, r, s in T.grid(1, 12, 7, 7, 2, 3, 3):
        with T.block("group_conv2d_nchw"):
            vn, vf, vi, vj, vc, vr, vs = T.axis.remap("SSSSRRR", [n, f, i, j, c, r, s])
            T.reads(x[vn, vf // 3 * 2 + vc, vi + vr, vj + vs], w[vf, vc, vr, vs])
            T.writes(y[vn, vf, vi, vj])
            with T.init():
                y[vn, vf, vi, vj] = T.float32(0)
            y[vn, vf, vi, vj] = y[vn, vf, vi, vj] + x[vn, vf // 3 * 2 + vc, vi + vr, vj + vs] * w[vf, vc, vr, vs]
