# reads: yes; a selection by a bool tensor
from tvm.script import tir as T


@T.prim_func
def where(cond: T.Buffer((5, 6), "bool"), x: T.Buffer((5, 6), "float32"), y: T.Buffer((6,), "float32"), o: T.Buffer((5, 6), "float32")):
    for i, j in T.grid(5, 6):
        with T.block("T_where"):
            vi, vj = T.axis.remap("SS", [i, j])
            o[vi, vj] = T.Select(cond[vi, vj], x[vi, vj], y[vj])
    for i in range(5):
        o[i, 0] = T.if_then_else(cond[i, 5], y[0], o[i, 0])
