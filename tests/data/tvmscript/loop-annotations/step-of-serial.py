# reads: yes; step= of T.serial
# from tvm.script import tir as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    for i in T.serial(0, 64, step=4):
        for j in range(4):
            B[i + j] = A[i + j] * 3
    for i in T.serial(1, 64, step=5):
        B[i] = B[i] + 1
    for i in T.serial(32, step=16):
        B[i] = B[i] + 2
