# reads: yes; constant strides in the annotation of a parameter
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((8, 8), "float32", strides=(16, 1)), B: T.Buffer((8, 8), "float32", strides=(1, 8))):
    for i, j in T.grid(8, 8):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(B[vi, vj])
            B[vi, vj] = A[vi, vj] + T.float32(1)
