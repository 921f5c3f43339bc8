# reads: yes; @T.prim_func(s_tir=True)
# from tvm.script import tir as T

@T.prim_func(s_tir=True)
def scale(A: T.Buffer((32, 4), "float32"), B: T.Buffer((32, 4), "float32")):
    # with T.sblock("root"):
    for i, j in T.grid(32, 4):
        with T.sblock("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(B[vi, vj])
            B[vi, vj] = A[vi, vj] * T.float32(2.0)
