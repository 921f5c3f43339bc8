# reads: yes; an append to a paged cache, offsets given by variables
import tvm
from tvm.script import tir as T


@T.prim_func
def append(var_pages: T.handle, var_k: T.handle, var_v: T.handle, var_pos: T.handle):
    T.func_attr({"tir.noalias": True})
    ntoken = T.int64(is_size_var=True)
    num_pages = T.int64(is_size_var=True)
    pos_off = T.int32(is_size_var=True)
    pages = T.match_buffer(var_pages, (num_pages, 2, 4, 16, 32), "float16")
    k_data = T.match_buffer(var_k, (ntoken, 4, 32), "float16")
    v_data = T.match_buffer(var_v, (ntoken, 4, 32), "float16")
    pos = T.match_buffer(var_pos, (ntoken,), "int32", elem_offset=pos_off)
    for t, h, d in T.grid(ntoken, T.int64(4), T.int64(32)):
        if pos[t] != -1:
            with T.block("k"):
                vt, vh, vd = T.axis.remap("SSS", [t, h, d])
                T.reads(pos[vt], k_data[vt, vh, vd])
                T.writes(pages[pos[vt] // 16, 0, vh, pos[vt] % 16, vd])
                p: T.int32 = pos[vt]
                pages[p // 16, 0, vh, p % 16, vd] = k_data[vt, vh, vd]
            with T.block("v"):
                vt, vh, vd = T.axis.remap("SSS", [t, h, d])
                T.reads(pos[vt], v_data[vt, vh, vd])
                T.writes(pages[pos[vt] // 16, 1, vh, pos[vt] % 16, vd])
                p: T.int32 = pos[vt]
                pages[p // 16, 1, vh, p % 16, vd] = v_data[vt, vh, vd]
