# reads: yes; a ramp with a stride of two
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((64,), "int32"), B: T.Buffer((32,), "int32")):
    for i in range(8):
        B[T.ramp(i * 4, 1, 4)] = A[T.ramp(i * 8, 2, 4)]
    for i in range(2):
        B[T.ramp(i, 2, 16)] = B[T.ramp(i, 2, 16)] + T.broadcast(1, 16)
    B[0] = A[0]
