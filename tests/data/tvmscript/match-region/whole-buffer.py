# reads: yes; a view of all of an allocated buffer
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((12, 12), "float32"), C: T.Buffer((12, 12), "float32")):
    B = T.alloc_buffer((12, 12))
    with T.block("fill"):
        T.reads(A[0:12, 0:12])
        T.writes(B[0:12, 0:12])
        B_all = T.match_buffer(B[0:12, 0:12], (12, 12), align=64, offset_factor=1)
        for i, j in T.grid(12, 12):
            B_all[i, j] = A[i, j]
    for i, j in T.grid(12, 12):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj]
