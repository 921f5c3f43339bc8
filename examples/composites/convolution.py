@T.prim_func
def convolution(X: T.Buffer((1, 8, 10, 10), "float32"), W: T.Buffer((16, 8, 3, 3), "float32"),
                Y: T.Buffer((1, 16, 10, 10), "float32")):
    for n, o, h, w, c, r, q in T.grid(1, 16, 10, 10, 8, 3, 3):
        with T.block("convolution"):
            vn, vo, vh, vw, vc, vr, vq = T.axis.remap("SSSSRRR", [n, o, h, w, c, r, q])
            with T.init():
                Y[vn, vo, vh, vw] = T.float32(0)
            Y[vn, vo, vh, vw] = Y[vn, vo, vh, vw] + T.if_then_else(
                1 <= vh + vr and vh + vr < 11 and 1 <= vw + vq and vw + vq < 11,
                X[vn, vc, vh + vr - 1, vw + vq - 1], T.float32(0)) * W[vo, vc, vr, vq]
