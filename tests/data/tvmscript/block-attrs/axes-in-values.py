# reads: yes; iterators of the block inside a value
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32")):
    for i, j in T.grid(8, 8):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(B[vi, vj])
            T.block_attr({"where_from": [vi, vj + 1], "row": vi * 8})
            B[vi, vj] = A[vi, vj]
