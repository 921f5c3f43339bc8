# reads: yes; attribute values of given types
# from tvm.script import tir as T

@T.prim_func(private=True)
def f(A: T.Buffer((T.int64(16),), "float32"), B: T.Buffer((T.int64(16),), "float32")):
    for i in range(T.int64(16)):
        with T.block("B"):
            vi = T.axis.spatial(T.int64(16), i)
            T.block_attr({"limit": T.int64(65536), "rate": T.float32(0.5), "flag": T.bool(True), "width": T.uint8(4)})
            B[vi] = A[vi]
