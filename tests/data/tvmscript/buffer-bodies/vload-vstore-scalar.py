# reads: yes; one element by vload and vstore
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((14,), "int32"), B: T.Buffer((14,), "int32")):
    for i in range(14):
        with T.block("B"):
            vi = T.axis.spatial(14, i)
            B.vstore([vi], A.vload([vi], "int32") + 1)
    for i in range(14):
        B.vstore(i, B.vload(13 - i) * 2)
