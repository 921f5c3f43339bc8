# reads: yes; a column of a matrix by strides
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((10, 32), "float32"), S: T.Buffer((32,), "float32")):
    for j in T.parallel(32):
        col = T.decl_buffer((10,), "float32", data=A.data, strides=[32], elem_offset=j)
        S[j] = col[0]
        for k in range(9):
            S[j] = T.max(S[j], col[k + 1])
