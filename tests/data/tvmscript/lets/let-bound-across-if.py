# reads: yes; bools and conditions that have names
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((40,), "int32"), B: T.Buffer((40,), "int32")):
    for i in range(40):
        inside: T.bool = 3 <= i and i < 37
        neg: T.let[T.bool] = A[i] < 0
        if inside and not neg:
            B[i] = A[i]
        else:
            B[i] = 0
