# reads: yes; a parameter of shape (1,) by its name alone
# from tvm.script import tirx as T

@T.prim_func
def count_above(A: T.Buffer((32,), "float32"), limit: T.Buffer((1,), "float32"), count: T.Buffer((1,), "int32")):
    count = 0
    for i in range(32):
        if A[i] > limit:
            count = count + 1
