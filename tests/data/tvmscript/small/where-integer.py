# reads: yes; T.where(1) and T.where(True)
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((6, 6), "int32"), B: T.Buffer((6, 6), "int32")):
    for i, j in T.grid(6, 6):
        with T.block("B"):
            T.where(1)
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
    for i, j in T.grid(6, 6):
        with T.block("C"):
            T.where(True)
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = B[vi, vj] + 1
