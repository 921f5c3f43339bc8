# reads: yes; bounds of int32 and int64, an index cast by TVM
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((T.int64(20), 30), "float32"), B: T.Buffer((20, T.int64(30)), "float32")):
    for i in range(0, T.int64(20)):
        for j in T.serial(T.int64(5), 30):
            with T.block("B"):
                vi = T.axis.spatial(20, i)
                vj = T.axis.spatial(T.int64(30), j)
                B[vi, vj] = A[vi, vj]
