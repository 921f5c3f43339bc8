# reads: yes; a maximum over windows with padding of the smallest float
# from tvm.script import tir as T

@T.prim_func
def max_pool(x: T.Buffer((1, 8, 12, 12), "float32"), y: T.Buffer((1, 8, 6, 6), "float32")):
    pad = T.alloc_buffer((1, 8, 14, 14), "float32")
    for n, c, h, w in T.grid(1, 8, 14, 14):
        with T.block("pad"):
            vn, vc, vh, vw = T.axis.remap("SSSS", [n, c, h, w])
            pad[vn, vc, vh, vw] = T.if_then_else(1 <= vh and vh < 13 and 1 <= vw and vw < 13, x[vn, vc, vh - 1, vw - 1], T.min_value("float32"))
    for n, c, h, w, rh, rw in T.grid(1, 8, 6, 6, 3, 3):
        with T.block("pool_max"):
            vn, vc, vh, vw, vrh, vrw = T.axis.remap("SSSSRR", [n, c, h, w, rh, rw])
            with T.init():
                y[vn, vc, vh, vw] = T.min_value("float32")
            y[vn, vc, vh, vw] = T.max(y[vn, vc, vh, vw], pad[vn, vc, vh * 2 + vrh, vw * 2 + vrw])
