# reads: yes; a transposed convolution by a guard on the stride
import tvm
from tvm.script import tir as T


@T.prim_func
def deconv(x: T.Buffer((1, 4, 8, 8), "float32"), w: T.Buffer((4, 6, 2, 2), "float32"), y: T.Buffer((1, 6, 16, 16), "float32")):
    for n, o, i, j, c, r, s in T.grid(1, 6, 16, 16, 4, 2, 2):
        with T.block("deconv"):
            vn, vo, vi, vj, vc, vr, vs = T.axis.remap("SSSSRRR", [n, o, i, j, c, r, s])
            with T.init():
                y[vn, vo, vi, vj] = T.float32(0)
            y[vn, vo, vi, vj] += T.if_then_else(vi % 2 == vr and vj % 2 == vs, x[vn, vc, vi // 2, vj // 2] * w[vc, vo, vr, vs], T.float32(0))
