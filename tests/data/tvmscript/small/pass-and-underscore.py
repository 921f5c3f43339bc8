# reads: yes; pass, names with underscores, an unused loop variable
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((7,), "int32")):
    for _ in range(3):
        for i in range(7):
            A[i] = A[i] + 1
    if A[0] == 0:
        pass
    T.evaluate(0)
    T.evaluate(A[0])
