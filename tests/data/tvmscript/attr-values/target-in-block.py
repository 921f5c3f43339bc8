# reads: yes; a target in the attributes of a block
# from tvm.script import tir as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32")):
    for i, j in T.grid(8, 8):
        with T.sblock("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.sblock_attr({"for": T.target({"kind": "c", "keys": ["arm_cpu", "cpu"], "device": "arm_cpu"})})
            B[vi, vj] = A[vj, vi]
