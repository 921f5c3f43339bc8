# reads: yes; a row of a matrix as a view of one dimension
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((16, 32), "float32"), B: T.Buffer((16, 32), "float32")):
    for i in range(16):
        with T.block("row"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi, 0:32])
            T.writes(B[vi, 0:32])
            a = T.match_buffer(A[vi, 0:32], (32,), offset_factor=1)
            b = T.match_buffer(B[vi, 0:32], (32,), offset_factor=1)
            for j in range(32):
                b[j] = a[31 - j]
