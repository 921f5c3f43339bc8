# reads: yes; two statements on one line, bodies on the line of the colon
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((7,), "int32"), B: T.Buffer((7,), "int32")):
    for i in range(7): A[i] = i; B[i] = i + 1
    if A[0] == 0: B[0] = 5
    for i, j in T.grid(7, 2): B[i] += A[i]
    for i in range(7): B[i] -= 1; A[i] *= 2
    assert A[0] == 0, "A"; B[6] = 0
