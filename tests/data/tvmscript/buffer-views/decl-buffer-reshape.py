# reads: yes; T.decl_buffer of another shape on the data of a parameter
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((24,), "float32"), B: T.Buffer((24,), "float32")):
    A_2d = T.decl_buffer((4, 6), "float32", data=A.data)
    B_3d = T.decl_buffer((2, 3, 4), "float32", data=B.data)
    for i, j, k in T.grid(2, 3, 4):
        B_3d[i, j, k] = A_2d[k, i * 3 + j]
    for i in range(24):
        B[i] = B[i] + T.float32(1)
