# reads: yes; keywords over several lines with a trailing comma
import tvm
from tvm.script import tir as T


@T.prim_func(
    private=True,
    s_tir=True,
    check_well_formed=False,
)
def clamp(
    x: T.Buffer((14, 3), "int32"),
    y: T.Buffer((14, 3), "int32"),
):
    for i, j in T.grid(14, 3):
        with T.sblock("clamp"):
            vi, vj = T.axis.remap("SS", [i, j])
            y[vi, vj] = T.min(T.max(x[vi, vj], 0), 6)
