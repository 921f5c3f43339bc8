# reads: yes; the description of a tensor intrinsic with free strides
# from tvm.script import tir as T

@T.prim_func
def gemm_desc(a: T.handle, b: T.handle, c: T.handle) -> None:
    as0, bs0, cs0 = T.int32(), T.int32(), T.int32()
    A = T.match_buffer(a, (4, 4), "int8", offset_factor=1, strides=[as0, 1])
    B = T.match_buffer(b, (4, 4), "int8", offset_factor=1, strides=[bs0, 1])
    C = T.match_buffer(c, (4, 4), "int32", offset_factor=1, strides=[cs0, 1])
    with T.block("root"):
        T.reads(C[0:4, 0:4], A[0:4, 0:4], B[0:4, 0:4])
        T.writes(C[0:4, 0:4])
        for i, j, k in T.grid(4, 4, 4):
            with T.block("update"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                C[vi, vj] = C[vi, vj] + T.cast(A[vi, vk], "int32") * T.cast(B[vj, vk], "int32")
