# reads: yes; alignment and offset_factor of an allocation in a block
# from tvm.script import tir as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer((32, 16), "float32"), B: T.Buffer((32, 16), "float32")):
    for i in range(32):
        with T.sblock("row"):
            vi = T.axis.spatial(32, i)
            tmp = T.sblock_alloc_buffer((16,), "float32", scope="local", align=32, offset_factor=16)
            for j in range(16):
                tmp[j] = A[vi, 15 - j]
            for j in range(16):
                B[vi, j] = tmp[j]
