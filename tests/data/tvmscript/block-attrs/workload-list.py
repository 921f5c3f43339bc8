# reads: yes; a workload as a list of lists
# from tvm.script import tir as T

@T.prim_func
def conv1x1(x: T.Buffer((1, 8, 6, 6), "float32"), w: T.Buffer((4, 8, 1, 1), "float32"), y: T.Buffer((1, 4, 6, 6), "float32")):
    for n, o, h, ww, c in T.grid(1, 4, 6, 6, 8):
        with T.block("conv2d_nchw"):
            vn, vo, vh, vw, vc = T.axis.remap("SSSSR", [n, o, h, ww, c])
            T.reads(x[vn, vc, vh, vw], w[vo, vc, 0, 0])
            T.writes(y[vn, vo, vh, vw])
            T.block_attr({"workload": ["conv2d_nchw.cuda", ["TENSOR", [1, 8, 6, 6], "float32"], ["TENSOR", [4, 8, 1, 1], "float32"], [1, 1], [0, 0, 0, 0], [1, 1], "float32"]})
            with T.init():
                y[vn, vo, vh, vw] = T.float32(0)
            y[vn, vo, vh, vw] = y[vn, vo, vh, vw] + x[vn, vc, vh, vw] * w[vo, vc, 0, 0]
