# reads: yes; the column matrix of a padded image
from tvm.script import tir as T


@T.prim_func
def im2col(x: T.Buffer((3, 16, 16), "float32"), col: T.Buffer((27, 256), "float32")):
    for k, p in T.grid(27, 256):
        with T.block("im2col"):
            vk, vp = T.axis.remap("SS", [k, p])
            T.reads(x[vk // 9, vp // 16 + vk % 9 // 3 - 1, vp % 16 + vk % 3 - 1])
            T.writes(col[vk, vp])
            col[vk, vp] = T.if_then_else(
                1 <= vp // 16 + vk % 9 // 3 and vp // 16 + vk % 9 // 3 < 17 and 1 <= vp % 16 + vk % 3 and vp % 16 + vk % 3 < 17,
                x[vk // 9, vp // 16 + vk % 9 // 3 - 1, vp % 16 + vk % 3 - 1],
                T.float32(0),
            )
