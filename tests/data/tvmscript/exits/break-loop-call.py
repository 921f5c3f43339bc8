# reads: yes; T.break_loop and T.continue_loop as calls
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((10,), "float32"), B: T.Buffer((10,), "float32")):
    for i in range(10):
        B[i] = T.float32(0)
        if A[i] < T.float32(0):
            T.evaluate(T.break_loop())
        if A[i] == T.float32(1):
            T.evaluate(T.continue_loop())
        B[i] = A[i]
