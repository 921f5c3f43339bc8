# reads: yes; two elementwise stages of a gated network
import tvm
from tvm.script import tir as T


@T.prim_func(private=True)
def silu_mul(g: T.Buffer((2, 96), "float32"), u: T.Buffer((2, 96), "float32"), o: T.Buffer((2, 96), "float32")):
    sig = T.alloc_buffer((2, 96))
    for i, j in T.grid(2, 96):
        with T.block("sigmoid"):
            vi, vj = T.axis.remap("SS", [i, j])
            sig[vi, vj] = T.float32(1) / (T.float32(1) + T.exp(T.float32(0) - g[vi, vj]))
    for i, j in T.grid(2, 96):
        with T.block("mul"):
            vi, vj = T.axis.remap("SS", [i, j])
            o[vi, vj] = g[vi, vj] * sig[vi, vj] * u[vi, vj]
