# reads: yes; & | ^ ~ of bools, numbers beside a bool
from tvm.script import tirx as T

@T.prim_func
def bits_of_bools(A: T.Buffer((32,), "float32"), keep: T.Buffer((32,), "bool"), out: T.Buffer((32,), "bool")):
    for i in range(32):
        inside = (0 <= i - 1) & (i + 1 < 32)
        out[i] = inside & keep[i] | ~(A[i] < T.float32(0))
        if (keep[i] ^ out[i]) & (keep[i] == 1):
            out[i] = out[i] & 1
