# reads: yes; buffers of the type float32x4
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((16,), "float32x4"), B: T.Buffer((16,), "float32x4")):
    for i in range(16):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi])
            T.writes(B[vi])
            B[vi] = A[vi] + T.broadcast(T.float32(1), 4)
