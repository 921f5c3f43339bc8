# reads: yes; a quoted name of a shape that is a scalar parameter of int64
# from tvm.script import tirx as T

@T.prim_func
def clamp(A: T.Buffer(("count",), "float32"), count: T.int64, hi: T.float32):
    for i in T.parallel(count):
        A[i] = T.min(A[i], hi)
