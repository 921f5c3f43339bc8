# reads: yes; four-bit weights unpacked by shifts
import tvm
from tvm.script import tir as T


@T.prim_func
def dequantize(w: T.Buffer((32, 8), "uint32"), scale: T.Buffer((32, 2), "float16"), out: T.Buffer((32, 64), "float16")):
    for i, j in T.grid(32, 64):
        with T.sblock("dequantize"):
            v_i, v_j = T.axis.remap("SS", [i, j])
            T.reads(w[v_i, v_j // 8], scale[v_i, v_j // 32])
            T.writes(out[v_i, v_j])
            out[v_i, v_j] = (T.Cast("float16", T.bitwise_and(T.shift_right(w[v_i, v_j // 8], T.Cast("uint32", v_j % 8 * 4)), T.uint32(15))) - T.float16(7)) * scale[v_i, v_j // 32]
