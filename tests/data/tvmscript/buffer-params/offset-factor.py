# reads: yes; offset_factor and align of a parameter
# from tvm.script import tir as T

@T.prim_func
def f(a: T.handle, b: T.handle, c: T.handle) -> None:
    A = T.match_buffer(a, (16, 16), "float16", align=64, offset_factor=16)
    B = T.match_buffer(b, (16, 16), "float16", align=64, offset_factor=16)
    C = T.match_buffer(c, (16, 16), "float32", align=64, offset_factor=8)
    for i, j, k in T.grid(16, 16, 16):
        with T.block("update"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            C[vi, vj] = C[vi, vj] + T.cast(A[vi, vk], "float32") * T.cast(B[vj, vk], "float32")
