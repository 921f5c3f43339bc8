# reads: yes; an outer product in half precision
# from tvm.script import tir as T

@T.prim_func
def outer(u: T.Buffer((33,), "float16"), v: T.Buffer((65,), "float16"), M: T.Buffer((33, 65), "float16")):
    for i, j in T.grid(33, 65):
        with T.block("M"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(u[vi], v[vj])
            T.writes(M[vi, vj])
            M[vi, vj] = u[vi] * v[vj]
