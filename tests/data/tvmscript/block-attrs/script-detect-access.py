# reads: yes; the access detection flag
import tvm
from tvm.script import tir as T


@T.prim_func(s_tir=True)
def f(A: T.Buffer((20, 3), "float32"), B: T.Buffer((20, 3), "float32")):
    for i, j in T.grid(20, 3):
        with T.sblock("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.sblock_attr({"tir.script_parsing_detect_access": 3})
            B[vi, vj] = A[vi, vj] - T.float32(1)
