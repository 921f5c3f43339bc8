# Rows of a window are computed anew for each row of the result.
@T.prim_func
def window(A: T.Buffer((12, 8), "int32"), C: T.Buffer((10, 8), "int32")):
    R = T.alloc_buffer((12, 8), "int32")
    for y in range(10):
        for k, x in T.grid(3, 8):
            with T.block("rows"):
                vy = T.axis.spatial(12, y + k)
                vx = T.axis.spatial(8, x)
                R[vy, vx] = A[vy, vx] * 2
        for x in range(8):
            with T.block("sum"):
                vy, vx = T.axis.remap("SS", [y, x])
                C[vy, vx] = R[vy, vx] + R[vy + 1, vx] + R[vy + 2, vx]
