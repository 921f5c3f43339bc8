# reads: yes; attributes written before the axes, reads after them
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((5, 6), "int32"), B: T.Buffer((5, 6), "int32")):
    for i in range(5):
        for j in range(6):
            with T.block("B"):
                T.block_attr({"first": True})
                vi = T.axis.spatial(5, i)
                vj = T.axis.spatial(6, j)
                T.writes(B[vi, vj])
                T.reads(A[vi, vj])
                B[vi, vj] = A[vi, vj] + vi
