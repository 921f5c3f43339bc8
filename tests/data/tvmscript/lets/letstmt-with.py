# reads: yes; with T.LetStmt(v) as x
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((20, 20), "float32"), B: T.Buffer((20, 20), "float32")):
    for i, j in T.grid(20, 20):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            with T.LetStmt(A[vi, vj]) as x:
                with T.LetStmt(T.exp(x)) as y:
                    B[vi, vj] = y / (y + x)
