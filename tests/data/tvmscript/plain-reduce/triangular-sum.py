# reads: yes; an inner loop as long as the outer index
# from tvm.script import tir as T

@T.prim_func
def tri(A: T.Buffer((40, 40), "float32"), r: T.Buffer((40,), "float32")):
    for i in range(40):
        r[i] = T.float32(0)
        for j in range(i + 1):
            r[i] = r[i] + A[i, j]
    for i in range(39):
        r[i + 1] = r[i + 1] + r[i]
