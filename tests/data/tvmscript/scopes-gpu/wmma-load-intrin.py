# reads: opaque; tvm_load_matrix_sync and tvm_mma_sync
# from tvm.script import tir as T

@T.prim_func
def wmma(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (16, 16), "float16", align=64, offset_factor=16, scope="shared")
    B = T.match_buffer(b, (16, 16), "float16", align=64, offset_factor=16, scope="wmma.matrix_a")
    C = T.match_buffer(c, (16, 16), "float32", align=64, offset_factor=16, scope="wmma.accumulator")
    with T.block("root"):
        T.reads(A[0:16, 0:16], C[0:16, 0:16])
        T.writes(B[0:16, 0:16], C[0:16, 0:16])
        T.evaluate(T.tvm_load_matrix_sync(B.data, 16, 16, 16, B.elem_offset // 256, A.access_ptr("r"), 16, "row_major", dtype="handle"))
        T.evaluate(T.tvm_mma_sync(C.data, C.elem_offset // 256, B.data, B.elem_offset // 256, B.data, B.elem_offset // 256, C.data, C.elem_offset // 256, dtype="handle"))
