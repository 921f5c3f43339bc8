@T.prim_func
def layers(x: T.Buffer((4, 5), "float32"), w: T.Buffer((3, 5), "float32"), y: T.Buffer((4, 3), "float32")):
    wt = T.alloc_buffer((5, 3), "float32")
    a = T.alloc_buffer((4, 3), "float32")
    b = T.alloc_buffer((4, 3), "float32")
    c = T.alloc_buffer((4, 3), "float32")
    for k, j in T.grid(5, 3):
        wt[k, j] = w[j, k] * T.float32(0.5)
    for i, j in T.grid(4, 3):
        a[i, j] = T.float32(0.0)
        for k in range(5):
            a[i, j] = a[i, j] + x[i, k] * wt[k, j]
    for i, j in T.grid(4, 3):
        b[i, j] = T.max(a[i, j], T.float32(0.0))
    for i, j in T.grid(4, 3):
        c[i, j] = b[i, j] * b[i, j]
    for i, j in T.grid(4, 3):
        y[i, j] = c[i, j] + b[i, j]
