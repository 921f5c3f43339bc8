# reads: yes; a concatenation by nested selections
from tvm.script import tir as T


@T.prim_func
def concat(a: T.Buffer((4, 3), "int32"), b: T.Buffer((4, 5), "int32"), c: T.Buffer((4, 2), "int32"), o: T.Buffer((4, 10), "int32")):
    for i, j in T.grid(4, 10):
        with T.block("T_concat"):
            vi, vj = T.axis.remap("SS", [i, j])
            o[vi, vj] = T.if_then_else(8 <= vj, c[vi, vj - 8], T.if_then_else(3 <= vj, b[vi, vj - 3], a[vi, vj]))
    for i in range(4):
        o[i, 9] = o[i, 9] + c[i, 0]
