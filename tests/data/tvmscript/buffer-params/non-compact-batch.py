# reads: yes; strides of int64 with an outer gap
# from tvm.script import tir as T

@T.prim_func
def f(a: T.handle, b: T.handle):
    n = T.int64()
    A = T.match_buffer(a, (n, T.int64(10)), "float32", strides=(T.int64(12), T.int64(1)))
    B = T.match_buffer(b, (n, T.int64(10)), "float32")
    for i, j in T.grid(n, T.int64(10)):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
