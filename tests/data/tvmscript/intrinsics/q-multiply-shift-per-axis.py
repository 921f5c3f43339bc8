# reads: yes; a multiplier and shifts of each channel
from tvm.script import tir as T


@T.prim_func
def requantize(A: T.Buffer((14, 14, 32), "int32"), m: T.Buffer((32,), "int32"), ls: T.Buffer((32,), "int32"), rs: T.Buffer((32,), "int32"), B: T.Buffer((14, 14, 32), "int32")):
    for h, w, c in T.grid(14, 14, 32):
        with T.sblock("compute"):
            vh, vw, vc = T.axis.remap("SSS", [h, w, c])
            T.reads(A[vh, vw, vc], m[vc], ls[vc], rs[vc])
            T.writes(B[vh, vw, vc])
            B[vh, vw, vc] = T.q_multiply_shift_per_axis(A[vh, vw, vc], m[vc], ls[vc], rs[vc], 31, T.bool(False), T.bool(True))
