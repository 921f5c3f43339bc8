# reads: yes; each keyword of match_buffer
from tvm.script import tir as T


@T.prim_func(private=True)
def f(a: T.handle, b: T.handle):
    s = T.int32()
    A = T.match_buffer(a, shape=(4, 4), dtype="float32", strides=[s, 1], elem_offset=0, scope="global", align=128, offset_factor=4, buffer_type="auto")
    B = T.match_buffer(param=b, shape=(4, 4), dtype="float32")
    for i, j in T.grid(4, 4):
        B[i, j] = A[i, j]
