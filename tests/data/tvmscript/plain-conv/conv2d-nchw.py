# reads: yes; padding as its own stage
# from tvm.script import tir as T

@T.prim_func
def conv2d_nchw(data: T.Buffer((1, 3, 32, 32), "float32"), kernel: T.Buffer((16, 3, 3, 3), "float32"), out: T.Buffer((1, 16, 32, 32), "float32")):
    pad_temp = T.alloc_buffer((1, 3, 34, 34))
    for i0, i1, i2, i3 in T.grid(1, 3, 34, 34):
        with T.block("pad_temp"):
            v0, v1, v2, v3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
            T.reads(data[v0, v1, v2 - 1, v3 - 1])
            T.writes(pad_temp[v0, v1, v2, v3])
            pad_temp[v0, v1, v2, v3] = T.if_then_else(1 <= v2 and v2 < 33 and 1 <= v3 and v3 < 33, data[v0, v1, v2 - 1, v3 - 1], T.float32(0))
    for nn, ff, yy, xx, rc, ry, rx in T.grid(1, 16, 32, 32, 3, 3, 3):
        with T.block("conv2d_nchw"):
            v_nn, v_ff, v_yy, v_xx, v_rc, v_ry, v_rx = T.axis.remap("SSSSRRR", [nn, ff, yy, xx, rc, ry, rx])
            with T.init():
                out[v_nn, v_ff, v_yy, v_xx] = T.float32(0)
            out[v_nn, v_ff, v_yy, v_xx] = out[v_nn, v_ff, v_yy, v_xx] + pad_temp[v_nn, v_rc, v_yy + v_ry, v_xx + v_rx] * kernel[v_ff, v_rc, v_ry, v_rx]
