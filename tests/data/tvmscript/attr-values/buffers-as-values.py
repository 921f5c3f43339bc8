# reads: yes; buffers of the function as values
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((9,), "float32"), B: T.Buffer((9,), "float32")):
    for i in range(9):
        with T.block("B"):
            vi = T.axis.spatial(9, i)
            T.block_attr({"pinned": [A, B], "one": A})
            B[vi] = A[vi] * T.float32(4)
