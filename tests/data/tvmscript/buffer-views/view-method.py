# reads: yes; A.view(n) of parameters, as lowered functions print flat memory
# from tvm.script import tirx as T

@T.prim_func
def scale_rows(A: T.Buffer((6, 10), "float32"), S: T.Buffer((6,), "float32"), C: T.Buffer((6, 10), "float32")):
    A_1 = A.view(60)
    C_1 = C.view(60)
    for i in T.parallel(6):
        for j in range(10):
            C_1[i * 10 + j] = A_1[i * 10 + j] * S[i]
