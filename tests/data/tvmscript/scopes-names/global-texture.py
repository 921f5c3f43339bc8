# reads: opaque; a texture as storage
# from tvm.script import tir as T

@T.prim_func(private=True)
def f(A: T.Buffer((4, 4, 8, 4), "float16", scope="global.texture-weight"), B: T.Buffer((4, 4, 8, 4), "float16", scope="global.texture")):
    for i, j, k, c in T.grid(4, 4, 8, 4):
        with T.block("B"):
            vi, vj, vk, vc = T.axis.remap("SSSS", [i, j, k, c])
            B[vi, vj, vk, vc] = A[vi, vj, vk, vc] + T.float16(1)
    for i, j, k, c in T.grid(4, 4, 8, 4):
        B[i, j, k, c] = B[i, j, k, c] * A[i, j, k, 0]
