# reads: yes; a view whose offset and strides are parameters
# from tvm.script import tir as T

@T.prim_func
def f(a: T.handle, b: T.handle, n: T.int32, m: T.int32):
    A = T.match_buffer(a, (n * m,), "float32")
    B = T.match_buffer(b, (m, n), "float32")
    V = T.decl_buffer((m, n), "float32", data=A.data, strides=[n, 1], elem_offset=0)
    for i, j in T.grid(m, n):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = V[vi, vj]
