# reads: yes; names of common subexpressions as the pass leaves them
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    T.func_attr({"tir.noalias": True})
    A_1 = T.Buffer((4096,), data=A.data)
    B_1 = T.Buffer((4096,), data=B.data)
    for i_0 in T.parallel(16):
        cse_v1: T.let[T.int32] = i_0 * 256
        for i_1 in range(16):
            cse_v2: T.let[T.int32] = i_1 * 16
            cse_v3: T.let[T.int32] = cse_v1 + cse_v2
            for i_2 in T.vectorized(16):
                B_1[cse_v3 + i_2] = A_1[cse_v3 + i_2] + T.float32(1.0)
