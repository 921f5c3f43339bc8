# reads: yes; a chain of lets with types
# from tvm.script import tir as T

@T.prim_func
def unflatten(A: T.Buffer((2, 3, 4, 5), "float32"), B: T.Buffer((120,), "float32")):
    for f in range(120):
        n: T.int32 = f // 60
        rest: T.int32 = f - n * 60
        c: T.int32 = rest // 20
        rest_1: T.int32 = rest - c * 20
        h: T.int32 = rest_1 // 5
        w: T.int32 = rest_1 - h * 5
        B[f] = A[n, c, h, w]
