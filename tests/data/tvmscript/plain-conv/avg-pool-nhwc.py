# reads: yes; a sum over windows and a division
from tvm.script import tir as T


@T.prim_func
def avg_pool(x: T.Buffer((1, 16, 16, 4), "float32"), y: T.Buffer((1, 4, 4, 4), "float32")):
    s = T.alloc_buffer((1, 4, 4, 4))
    for n, h, w, c, rh, rw in T.grid(1, 4, 4, 4, 4, 4):
        with T.block("pool_sum"):
            vn, vh, vw, vc, vrh, vrw = T.axis.remap("SSSSRR", [n, h, w, c, rh, rw])
            with T.init():
                s[vn, vh, vw, vc] = T.float32(0)
            s[vn, vh, vw, vc] += x[vn, vh * 4 + vrh, vw * 4 + vrw, vc]
    for n, h, w, c in T.grid(1, 4, 4, 4):
        with T.block("pool_avg"):
            vn, vh, vw, vc = T.axis.remap("SSSS", [n, h, w, c])
            y[vn, vh, vw, vc] = s[vn, vh, vw, vc] / T.float32(16)
