# reads: yes; attributes of loops as lines: by a variable, and by a dictionary
# from tvm.script import tirx as T

@T.prim_func
def f(A: T.Buffer((8, 16), "int32"), B: T.Buffer((8, 16), "int32")):
    for i in T.parallel(8):
        j = T.int32()
        T.attr(j, "pragma_auto_unroll_max_step", 16)
        for j in range(16):
            B[i, j] = A[i, j] + 1
    T.attr({"pragma_scope": "seq"})
    for i in range(8):
        T.attr(i, "pragma_unroll_explicit", 0)
        for j in range(15):
            B[i, j + 1] = B[i, j] + B[i, j + 1]
