# reads: yes; T.preflattened_buffer of lowered programs
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer(256, "float32"), B: T.Buffer(256, "float32")):
    T.preflattened_buffer(A, [16, 16], dtype="float32", data=A.data)
    T.preflattened_buffer(B, [16, 16], dtype="float32", data=B.data)
    for i, j in T.grid(16, 16):
        B[i * 16 + j] = A[i * 16 + j] + T.float32(1)
    for i in T.vectorized(256):
        B[i] = B[i] * T.float32(2)
