# reads: yes; check_well_formed=False alone
import tvm
from tvm.script import tir as T


@T.prim_func(check_well_formed=False)
def copy_block(x: T.Buffer((30,), "float32"), y: T.Buffer((30,), "float32")):
    for i0 in T.serial(3):
        for i1 in T.serial(10):
            with T.block("copy"):
                vi = T.axis.spatial(30, i0 * 10 + i1)
                T.reads(x[vi])
                T.writes(y[vi])
                y[vi] = x[vi]
