# reads: yes; an empty scope, which is global, and global itself
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((10,), "float32"), B: T.Buffer((10,), "float32")):
    X = T.alloc_buffer((10,), "float32", scope="")
    Y = T.alloc_buffer((10,), "float32", scope="global")
    for i in range(10):
        X[i] = A[i]
        Y[i] = X[i] * T.float32(2)
        B[i] = Y[i]
