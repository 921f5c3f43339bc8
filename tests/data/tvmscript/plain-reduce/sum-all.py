# reads: yes; every element added to one cell
# from tvm.script import tir as T

@T.prim_func
def sum_all(A: T.Buffer((13, 17), "int32"), B: T.Buffer((), "int32")):
    for i, j in T.grid(13, 17):
        with T.block("B"):
            vi, vj = T.axis.remap("RR", [i, j])
            with T.init():
                B[()] = 0
            B[()] = B[()] + A[vi, vj]
