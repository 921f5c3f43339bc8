# reads: opaque; each keyword of access_ptr, and masks as numbers
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((4, 64), "int8"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        with T.block("dot"):
            vi = T.axis.spatial(4, i)
            T.reads(A[vi, 0:64])
            T.writes(C[vi])
            T.call_extern("int32", "dot64", A.access_ptr(access_mask="r", ptr_type="handle", content_lanes=1, offset=vi * 64, extent=64), C.access_ptr(2, offset=vi), dtype="int32")
