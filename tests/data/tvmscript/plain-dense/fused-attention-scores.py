# reads: yes; scores scaled and masked
# from tvm.script import tir as T

@T.prim_func
def scores(Q: T.Buffer((8, 32, 16), "float32"), K: T.Buffer((8, 48, 16), "float32"), S: T.Buffer((8, 32, 48), "float32")):
    qk = T.alloc_buffer((8, 32, 48), "float32")
    for h, i, j, k in T.grid(8, 32, 48, 16):
        with T.sblock("qk"):
            vh, vi, vj, vk = T.axis.remap("SSSR", [h, i, j, k])
            with T.init():
                qk[vh, vi, vj] = T.float32(0)
            qk[vh, vi, vj] += Q[vh, vi, vk] * K[vh, vj, vk]
    for h, i, j in T.grid(8, 32, 48):
        with T.sblock("mask"):
            vh, vi, vj = T.axis.remap("SSS", [h, i, j])
            S[vh, vi, vj] = T.if_then_else(vj <= vi + 16, qk[vh, vi, vj] * T.float32(0.25), T.float32(-3.4028234663852886e+38))
