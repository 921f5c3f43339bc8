@T.prim_func
def pack_and_add(A: T.Buffer((14,), "int32"), C: T.Buffer((1,), "int32")):
    B = T.alloc_buffer((4, 4), "int32")
    for p, q in T.grid(4, 4):
        with T.block("pack"):
            vp, vq = T.axis.remap("SS", [p, q])
            B[vp, vq] = T.if_then_else(4 * vp + vq < 14, A[4 * vp + vq], 0)
    for p, q in T.grid(4, 4):
        with T.block("total"):
            vp, vq = T.axis.remap("RR", [p, q])
            T.where(4 * p + q < 14)
            with T.init():
                C[0] = 0
            C[0] = C[0] + B[vp, vq]
