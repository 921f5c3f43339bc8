# reads: yes; extents and indices of int64
# from tvm.script import tir as T

@T.prim_func(private=True)
def f(A: T.Buffer((T.int64(4096),), "float16"), B: T.Buffer((T.int64(4096),), "float16")):
    for bx in T.thread_binding(T.int64(4), thread="blockIdx.x"):
        for tx in T.thread_binding(T.int64(1024), thread="threadIdx.x"):
            with T.block("B"):
                v = T.axis.spatial(T.int64(4096), bx * T.int64(1024) + tx)
                B[v] = A[v] + T.float16(1)
