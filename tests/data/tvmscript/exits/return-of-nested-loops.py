# reads: yes; a return that leaves two loops, and lines after them
# from tvm.script import tir as T

@T.prim_func
def first_match(A: T.Buffer((16, 32), "float32"), key: T.float32, at: T.Buffer((2,), "int64")):
    at[0] = T.int64(-1)
    for i in T.serial(16):
        for j in T.serial(32):
            if A[i, j] == key:
                at[0] = T.Cast("int64", i)
                at[1] = T.Cast("int64", j)
                return
    at[1] = T.int64(-1)
    return
