# reads: yes; comparisons, selections and casts of vectors
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((32,), "int32"), B: T.Buffer((32,), "float32")):
    for i in range(8):
        v: T.int32x4 = A[i * 4:i * 4 + 4]
        B[i * 4:i * 4 + 4] = T.Cast("float32x4", T.Select(v < T.Broadcast(0, 4), T.Broadcast(0, 4), v))
    for i in range(8):
        B[i * 4:i * 4 + 4] = T.max(B[i * 4:i * 4 + 4], T.broadcast(T.float32(1), 4))
