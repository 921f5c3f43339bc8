# reads: yes; two reductions that write two buffers in one block
from tvm.script import tir as T


@T.prim_func
def min_max(A: T.Buffer((100,), "int32"), lo: T.Buffer((1,), "int32"), hi: T.Buffer((1,), "int32")):
    for i in range(100):
        with T.block("min_max"):
            vi = T.axis.reduce(100, i)
            with T.init():
                lo[0] = T.max_value("int32")
                hi[0] = T.min_value("int32")
            lo[0] = T.min(lo[0], A[vi])
            hi[0] = T.max(hi[0], A[vi])
