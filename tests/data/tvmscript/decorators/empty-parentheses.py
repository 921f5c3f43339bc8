# reads: yes; @T.prim_func() with nothing between the parentheses
import tvm
from tvm.script import tir as T


@T.prim_func()
def negate(x: T.Buffer((20,), "int32"), y: T.Buffer((20,), "int32")):
    for i in T.serial(20):
        with T.block("neg"):
            vi = T.axis.spatial(20, i)
            y[vi] = 0 - x[vi]
