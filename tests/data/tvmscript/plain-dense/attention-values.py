# reads: yes; probabilities times values, heads in the middle
import tvm
from tvm.script import tir as T


@T.prim_func
def attn_values(P: T.Buffer((4, 20, 24), "float32"), V: T.Buffer((24, 4, 32), "float32"), O: T.Buffer((20, 4, 32), "float32")):
    for i, h, d, j in T.grid(20, 4, 32, 24):
        with T.block("O"):
            vi, vh, vd, vj = T.axis.remap("SSSR", [i, h, d, j])
            T.reads(P[vh, vi, vj], V[vj, vh, vd])
            T.writes(O[vi, vh, vd])
            with T.init():
                O[vi, vh, vd] = T.float32(0)
            O[vi, vh, vd] = O[vi, vh, vd] + P[vh, vi, vj] * V[vj, vh, vd]
