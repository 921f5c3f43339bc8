# reads: yes; allocations inside loops and branches
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((20, 8), "float32"), B: T.Buffer((20,), "float32")):
    for i in range(20):
        acc_1 = T.allocate([1], "float32", "local")
        acc = T.decl_buffer((1,), data=acc_1, scope="local")
        acc[0] = T.float32(0)
        for k in range(8):
            acc[0] = acc[0] + A[i, k]
        if i % 2 == 0:
            sq_1 = T.allocate([1], "float32", "local")
            sq = T.Buffer((1,), data=sq_1, scope="local")
            sq[0] = acc[0] * acc[0]
            B[i] = sq[0]
        else:
            B[i] = acc[0]
