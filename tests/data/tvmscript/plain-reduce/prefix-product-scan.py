# reads: yes; a scan in steps of powers of two
from tvm.script import tir as T


@T.prim_func
def scan(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
    t = T.alloc_buffer((64,))
    for i in range(64):
        y[i] = x[i]
    for s in range(6):
        for i in range(64):
            t[i] = y[i]
        for i in range(64):
            if T.shift_left(1, s) <= i:
                y[i] = y[i] * t[i - T.shift_left(1, s)]
