# reads: yes; lanes that meet in a cell, and indices from the buffer that is changed
from tvm.script import tir as T


@T.prim_func
def f(bins: T.Buffer((16,), "int32"), idx: T.Buffer((64,), "int32"), order: T.Buffer((16,), "int32")):
    for i in range(16):
        bins[idx[i * 4:i * 4 + 4]] += T.broadcast(1, 4)
    order[order[0:8]] = T.ramp(0, 1, 8)
