# reads: yes; a list of strings and an empty list
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((6, 6), "float32"), B: T.Buffer((6, 6), "float32")):
    for i in T.serial(6, annotations={"layouts": ["NCHW", "NHWC"], "rest": []}):
        for j in T.serial(6, annotations={}):
            B[i, j] = A[j, i]
    for i in T.grid(6):
        for j in T.serial(0, 6, annotations={"from": "NCHW4c", "k": T.int8(-3)}):
            B[i, j] = B[i, j] + T.float32(1)
