# reads: yes; parts of a pool at several offsets
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    pool = T.allocate([48], "float32", "global")
    x = T.decl_buffer((16,), "float32", data=pool, elem_offset=0)
    y = T.decl_buffer((16,), "float32", data=pool, elem_offset=16)
    z = T.decl_buffer((16,), "float32", data=pool, elem_offset=32)
    for i in range(16):
        x[i] = A[i]
        y[i] = x[i] + T.float32(1)
        z[i] = x[i] * y[i]
    for i in range(16):
        C[i] = z[15 - i]
