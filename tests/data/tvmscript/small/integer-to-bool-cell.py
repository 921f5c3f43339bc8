# reads: yes; 0 and 1 stored to bool cells, bools to integer cells
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((5,), "bool"), B: T.Buffer((5,), "int32")):
    for i in range(5):
        A[i] = 0
        B[i] = True
    for i in range(5):
        A[i] = B[i] == 1
        B[i] = A[i]
