# reads: yes; tiles of 4x4 read with an overlap of two
from tvm.script import tir as T


@T.prim_func
def winograd_pack(data_pad: T.Buffer((1, 10, 10, 8), "float32"), tiles: T.Buffer((4, 4, 16, 8), "float32")):
    for eps, nu, p, ci in T.grid(4, 4, 16, 8):
        with T.block("input_tile"):
            veps, vnu, vp, vci = T.axis.remap("SSSS", [eps, nu, p, ci])
            T.reads(data_pad[vp // 16, vp % 16 // 4 * 2 + veps, vp % 4 * 2 + vnu, vci])
            T.writes(tiles[veps, vnu, vp, vci])
            tiles[veps, vnu, vp, vci] = data_pad[vp // 16, vp % 16 // 4 * 2 + veps, vp % 4 * 2 + vnu, vci]
