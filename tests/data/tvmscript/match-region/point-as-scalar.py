# reads: yes; one cell as a view without dimensions
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((5, 7), "int32"), B: T.Buffer((5, 7), "int32")):
    for i, j in T.grid(5, 7):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(B[vi, vj])
            a = T.match_buffer(A[vi, vj], (), "int32")
            b = T.match_buffer(B[vi, vj], (), "int32")
            b[()] = a[()] * 2
