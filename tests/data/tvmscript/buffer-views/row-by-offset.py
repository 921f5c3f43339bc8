# reads: yes; a row of a matrix by elem_offset inside a loop
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((10, 32), "float32"), S: T.Buffer((10,), "float32")):
    for i in range(10):
        row = T.decl_buffer((32,), "float32", data=A.data, elem_offset=i * 32)
        S[i] = T.float32(0)
        for k in range(32):
            S[i] = S[i] + row[k]
