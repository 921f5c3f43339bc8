# reads: yes; double buffering asked for a buffer
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((16, 32), "float32"), C: T.Buffer((16, 32), "float32")):
    for i in T.serial(16):
        with T.block("tile"):
            vi = T.axis.spatial(16, i)
            B = T.alloc_buffer((32,), scope="shared")
            T.block_attr({"double_buffer_scope": 0})
            for j in T.serial(32):
                with T.block("B"):
                    vj = T.axis.spatial(32, j)
                    T.block_attr({"double_buffer_scope": 0})
                    B[vj] = A[vi, vj] * T.float32(2)
            for j in T.serial(32):
                with T.block("C"):
                    vj = T.axis.spatial(32, j)
                    C[vi, vj] = B[vj] + T.float32(1)
