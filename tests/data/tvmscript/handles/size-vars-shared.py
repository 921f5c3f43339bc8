# reads: yes; a size shared by three buffers and used in expressions
from tvm.script import tir as T


@T.prim_func(private=True, s_tir=True)
def split_qkv(p_qkv: T.handle, p_q: T.handle, p_kv: T.handle):
    seq = T.int32(is_size_var=True)
    qkv = T.match_buffer(p_qkv, (seq, 96), "float16")
    q = T.match_buffer(p_q, (seq, 32), "float16")
    kv = T.match_buffer(p_kv, (seq * 2, 32), "float16")
    for i, j in T.grid(seq, 96):
        with T.sblock("split"):
            vi, vj = T.axis.remap("SS", [i, j])
            if vj < 32:
                q[vi, vj] = qkv[vi, vj]
            else:
                kv[vi * 2 + (vj - 32) // 32, vj % 32] = qkv[vi, vj]
