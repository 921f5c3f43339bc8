# reads: yes; an offset given by a variable
# from tvm.script import tir as T

@T.prim_func
def f(a: T.handle, b: T.handle):
    off = T.int32()
    A = T.match_buffer(a, (10,), "int32", elem_offset=off)
    B = T.match_buffer(b, (10,), "int32", elem_offset=0)
    for i in range(10):
        B[i] = A[i] * 5
