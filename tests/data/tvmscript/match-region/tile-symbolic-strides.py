# reads: yes; a tile with strides as variables
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((64, 64), "float32"), C: T.Buffer((64, 64), "float32")):
    for i, j in T.grid(4, 4):
        with T.block("tile"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi * 16:vi * 16 + 16, vj * 16:vj * 16 + 16])
            T.writes(C[vi * 16:vi * 16 + 16, vj * 16:vj * 16 + 16])
            s0, s1, t0, t1 = T.int32(), T.int32(), T.int32(), T.int32()
            sub_A = T.match_buffer(A[vi * 16:vi * 16 + 16, vj * 16:vj * 16 + 16], [16, 16], elem_offset=T.int32(), strides=[s0, s1])
            sub_C = T.match_buffer(C[vi * 16:vi * 16 + 16, vj * 16:vj * 16 + 16], [16, 16], elem_offset=T.int32(), strides=[t0, t1])
            for ii, jj in T.grid(16, 16):
                sub_C[ii, jj] = sub_A[ii, jj] + T.float32(1)
