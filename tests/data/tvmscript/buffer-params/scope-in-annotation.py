# reads: yes; scope and alignment inside T.Buffer
# from tvm.script import tir as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer((32,), "float32", scope="global", align=64, offset_factor=1), B: T.Buffer((32,), "float32", elem_offset=0)):
    for i in T.serial(32):
        with T.sblock("B"):
            vi = T.axis.spatial(32, i)
            B[vi] = A[vi] - T.float32(0.5)
    for i in T.serial(32):
        with T.sblock("B_1"):
            vi = T.axis.spatial(32, i)
            B[vi] = B[vi] * A[vi]
