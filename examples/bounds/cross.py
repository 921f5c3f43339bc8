# A cross-shaped stencil in two stages: both sums of a cross read the doubled image.
@T.prim_func
def cross(a: T.handle, c: T.handle):
    h, w = T.int32(), T.int32()
    A = T.match_buffer(a, (h + 2, w + 2), "int32")
    C = T.match_buffer(c, (h, w), "int32")
    D = T.alloc_buffer((h + 2, w + 2), "int32")
    for i, j in T.grid(h + 2, w + 2):
        with T.block("double"):
            y, x = T.axis.remap("SS", [i, j])
            D[y, x] = A[y, x] * 2
    for i, j in T.grid(h, w):
        with T.block("sum"):
            y, x = T.axis.remap("SS", [i, j])
            C[y, x] = D[y, x + 1] + D[y + 1, x] + D[y + 1, x + 1] + D[y + 1, x + 2] + D[y + 2, x + 1]
