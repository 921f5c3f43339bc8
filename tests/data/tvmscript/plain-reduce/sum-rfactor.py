# reads: yes; a sum factored over its inner loop
# from tvm.script import tir as T

@T.prim_func
def rfactor(A: T.Buffer((32, 128), "float32"), B: T.Buffer((32,), "float32")):
    B_rf = T.alloc_buffer((32, 16))
    for i, k0, k1 in T.grid(32, 8, 16):
        with T.block("B_rf"):
            vk1, vi, vk0 = T.axis.remap("SSR", [k1, i, k0])
            T.reads(A[vi, vk0 * 16 + vk1])
            T.writes(B_rf[vi, vk1])
            with T.init():
                B_rf[vi, vk1] = T.float32(0)
            B_rf[vi, vk1] = B_rf[vi, vk1] + A[vi, vk0 * 16 + vk1]
    for i, k1 in T.grid(32, 16):
        with T.block("B"):
            vk1, vi = T.axis.remap("RS", [k1, i])
            T.reads(B_rf[vi, vk1])
            T.writes(B[vi])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + B_rf[vi, vk1]
