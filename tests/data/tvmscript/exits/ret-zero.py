# reads: yes; T.ret(0) in the middle and at the end, loops that never run
# from tvm.script import tir as T

@T.prim_func
def copy(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), n: T.int32):
    while False:
        B[0] = 1
    if n < 0:
        T.evaluate(T.ret(0))
    for i in range(16):
        B[i] = A[i] + n
    T.ret(0)
