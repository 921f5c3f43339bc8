# reads: opaque; pointers of a region passed to a C function
from tvm.script import tir as T


@T.prim_func
def f(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (16, 32), "float32", offset_factor=1)
    B = T.match_buffer(b, (16, 32), "float32", offset_factor=1)
    for i in range(16):
        with T.block("row"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi, 0:32])
            T.writes(B[vi, 0:32])
            T.evaluate(T.call_extern("int32", "vec_add_one", B.access_ptr("w", offset=vi * 32), A.access_ptr("r", offset=vi * 32), 32))
