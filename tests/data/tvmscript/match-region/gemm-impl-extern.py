# reads: opaque; the implementation of a tensor intrinsic
# from tvm.script import tir as T

@T.prim_func
def gemm_impl(a: T.handle, b: T.handle, c: T.handle) -> None:
    A = T.match_buffer(a, (64, 16), "float32")
    B = T.match_buffer(b, (16, 64), "float32")
    C = T.match_buffer(c, (64, 64), "float32")
    for i, j in T.grid(4, 4):
        with T.block("gemm"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(C[vi * 16:vi * 16 + 16, vj * 16:vj * 16 + 16], A[vi * 16:vi * 16 + 16, 0:16], B[0:16, vj * 16:vj * 16 + 16])
            T.writes(C[vi * 16:vi * 16 + 16, vj * 16:vj * 16 + 16])
            sa, sb, sc = T.int32(), T.int32(), T.int32()
            A_elem = T.match_buffer(A[vi * 16:vi * 16 + 16, 0:16], (16, 16), offset_factor=1, strides=[sa, 1])
            B_elem = T.match_buffer(B[0:16, vj * 16:vj * 16 + 16], (16, 16), offset_factor=1, strides=[sb, 1])
            C_elem = T.match_buffer(C[vi * 16:vi * 16 + 16, vj * 16:vj * 16 + 16], (16, 16), offset_factor=1, strides=[sc, 1])
            T.evaluate(T.call_extern("int32", "gemm_update", C_elem.data, C_elem.elem_offset, sc, A_elem.data, A_elem.elem_offset, sa, B_elem.data, B_elem.elem_offset, sb))
