# reads: opaque; break of a loop whose iterations run at the same time
# from tvm.script import tir as T

@T.prim_func
def any_zero(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    for i in T.parallel(64):
        if A[i] == 0:
            break
        B[i] = A[i]
