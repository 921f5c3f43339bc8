# reads: yes; lets of int64, uint8, float16 and float64
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((T.int64(32),), "uint8"), B: T.Buffer((T.int64(32),), "float64")):
    for i in range(T.int64(32)):
        j: T.int64 = T.int64(31) - i
        u: T.uint8 = A[j]
        h: T.float16 = T.Cast("float16", u)
        d: T.float64 = T.Cast("float64", h)
        B[i] = d / T.float64(256)
