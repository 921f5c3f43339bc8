# A convolution of an image that has its padding already. bench/runtime puts numbers in the place of
# CHANNELS.
@T.prim_func
def conv(X: T.Buffer((16, 16, CHANNELS), "float32"), W: T.Buffer((3, 3, CHANNELS, CHANNELS), "float32"), Y: T.Buffer((14, 14, CHANNELS), "float32")):
    for h, w, o, r, s, i in T.grid(14, 14, CHANNELS, 3, 3, CHANNELS):
        with T.block("conv"):
            vh, vw, vo, vr, vs, vi = T.axis.remap("SSSRRR", [h, w, o, r, s, i])
            with T.init():
                Y[vh, vw, vo] = T.float32(0.0)
            Y[vh, vw, vo] = Y[vh, vw, vo] + X[vh + vr, vw + vs, vi] * W[vr, vs, vi, vo]
