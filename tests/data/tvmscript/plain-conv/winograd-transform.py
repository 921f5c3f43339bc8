# reads: yes; the inverse transform of winograd tiles by a constant matrix of selections
# from tvm.script import tir as T

@T.prim_func(private=True)
def inverse(M: T.Buffer((4, 4, 9, 16), "float32"), Y: T.Buffer((2, 2, 9, 16), "float32"), out: T.Buffer((1, 6, 6, 16), "float32")):
    A = T.alloc_buffer((4, 2), "float32")
    for i, j in T.grid(4, 2):
        with T.block("A"):
            vi, vj = T.axis.remap("SS", [i, j])
            A[vi, vj] = T.Select(vi == 3 and vj == 1, T.float32(1), T.Select(vi == 3 and vj == 0, T.float32(0), T.Select(vi == 2 and vj == 1, T.float32(1), T.Select(vi == 1 and vj == 1, T.float32(-1), T.Select(vi == 0 and vj == 1, T.float32(0), T.float32(1))))))
    for vh0, vw0, p0, co0, r_a, r_b in T.grid(2, 2, 9, 16, 4, 4):
        with T.block("inverse"):
            vh, vw, p, co, ra, rb = T.axis.remap("SSSSRR", [vh0, vw0, p0, co0, r_a, r_b])
            T.reads(M[ra, rb, p, co], A[ra, vh], A[rb, vw])
            T.writes(Y[vh, vw, p, co])
            with T.init():
                Y[vh, vw, p, co] = T.float32(0)
            Y[vh, vw, p, co] = Y[vh, vw, p, co] + M[ra, rb, p, co] * A[ra, vh] * A[rb, vw]
    for n, h, w, co in T.grid(1, 6, 6, 16):
        with T.block("conv2d_winograd"):
            vn, vh, vw, vco = T.axis.remap("SSSS", [n, h, w, co])
            out[vn, vh, vw, vco] = Y[vh % 2, vw % 2, vh // 2 * 3 + vw // 2, vco]
