# reads: yes; sizes that quoted names of a shape define, and an expression in quotes
# from tvm.script import tirx as T

@T.prim_func
def split_pairs(A: T.Buffer(("n * 2", 8), "float32"), E: T.Buffer((n, 8), "float32"), O: T.Buffer((n, 8), "float32")):
    n = T.int32()
    for i, j in T.grid(n, 8):
        E[i, j] = A[i * 2, j]
        O[i, j] = A[i * 2 + 1, j]
