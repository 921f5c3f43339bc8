# reads: yes; infinities and limits of several types, T.large_uint_imm
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((6,), "float32"), B: T.Buffer((6,), "int64"), C: T.Buffer((1,), "uint64")):
    A[0] = T.infinity("float32")
    A[1] = T.float32("-inf")
    A[2] = T.float32("nan")
    A[3] = T.max_value("float32")
    A[4] = T.Cast("float32", T.min_value("float16"))
    A[5] = T.float32(1.1754943508222875e-38)
    B[0] = T.max_value("int64")
    B[1] = T.min_value("int64")
    C[0] = T.uint64(18446744073709551615)
