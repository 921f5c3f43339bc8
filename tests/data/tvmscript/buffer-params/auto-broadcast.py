# reads: opaque; buffer_type auto_broadcast
# from tvm.script import tir as T

@T.prim_func
def f(a: T.handle, b: T.handle, c: T.handle):
    m, n = T.int32(), T.int32()
    A = T.match_buffer(a, (m, n), "float32", buffer_type="auto_broadcast")
    B = T.match_buffer(b, (m, n), "float32", buffer_type="auto_broadcast")
    C = T.match_buffer(c, (m, n), "float32")
    for i, j in T.grid(m, n):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] + B[vi, vj]
