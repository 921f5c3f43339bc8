# reads: yes; scalars of all integer types
# from tvm.script import tir as T

@T.prim_func
def f(a: T.int8, b: T.int16, c: T.int32, d: T.int64, e: T.uint8, g: T.uint16, h: T.uint32, k: T.uint64, S: T.Buffer((8,), "int64")):
    S[0] = T.Cast("int64", a)
    S[1] = T.Cast("int64", b)
    S[2] = T.Cast("int64", c)
    S[3] = d
    S[4] = T.Cast("int64", e)
    S[5] = T.Cast("int64", g)
    S[6] = T.Cast("int64", h)
    S[7] = T.Cast("int64", k)
