# reads: opaque; scopes of newer GPUs
from tvm.script import tir as T


@T.prim_func(s_tir=True)
def f(A: T.Buffer((128, 64), "float32"), B: T.Buffer((128, 64), "float32")):
    tmem = T.alloc_buffer((128, 64), "float32", scope="shared.tmem")
    cl = T.alloc_buffer((128, 64), "float32", scope="shared.cluster")
    for i, j in T.grid(128, 64):
        with T.sblock("cl"):
            vi, vj = T.axis.remap("SS", [i, j])
            cl[vi, vj] = A[vi, vj]
    for i, j in T.grid(128, 64):
        with T.sblock("tmem"):
            vi, vj = T.axis.remap("SS", [i, j])
            tmem[vi, vj] = cl[vi, vj]
    for i, j in T.grid(128, 64):
        with T.sblock("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = tmem[vi, vj]
