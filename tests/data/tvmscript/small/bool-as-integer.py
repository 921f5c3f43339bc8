# reads: yes; conditions that are integers
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), flag: T.int32):
    for i in range(16):
        if 1:
            B[i] = A[i]
        if flag:
            B[i] = B[i] + 1
        B[i] = T.Select(T.bool(1), B[i], 0)
