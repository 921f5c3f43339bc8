# reads: yes; strides given by variables
# from tvm.script import tir as T

@T.prim_func
def f(a: T.handle, b: T.handle):
    s0, s1 = T.int32(), T.int32()
    A = T.match_buffer(a, (16, 8), "float32", strides=[s0, s1])
    B = T.match_buffer(b, (16, 8), "float32")
    for i, j in T.grid(16, 8):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
