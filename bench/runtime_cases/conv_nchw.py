# The same with channels outermost.
@T.prim_func
def conv(X: T.Buffer((CHANNELS, 16, 16), "float32"), W: T.Buffer((CHANNELS, CHANNELS, 3, 3), "float32"), Y: T.Buffer((CHANNELS, 14, 14), "float32")):
    for o, h, w, i, r, s in T.grid(CHANNELS, 14, 14, CHANNELS, 3, 3):
        with T.block("conv"):
            vo, vh, vw, vi, vr, vs = T.axis.remap("SSSRRR", [o, h, w, i, r, s])
            with T.init():
                Y[vo, vh, vw] = T.float32(0.0)
            Y[vo, vh, vw] = Y[vo, vh, vw] + X[vi, vh + vr, vw + vs] * W[vo, vi, vr, vs]
