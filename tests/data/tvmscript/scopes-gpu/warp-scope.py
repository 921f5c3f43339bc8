# reads: yes; memory of a warp
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((4, 32), "float32"), B: T.Buffer((4, 32), "float32")):
    for bx in T.thread_binding(4, thread="blockIdx.x"):
        with T.block("blk"):
            vb = T.axis.spatial(4, bx)
            W = T.alloc_buffer((32,), "float32", scope="warp")
            for tx in T.thread_binding(32, thread="threadIdx.x"):
                with T.block("W"):
                    vt = T.axis.spatial(32, tx)
                    W[vt] = A[vb, vt] * A[vb, vt]
            for tx in T.thread_binding(32, thread="threadIdx.x"):
                with T.block("B"):
                    vt = T.axis.spatial(32, tx)
                    B[vb, vt] = W[(vt + 1) % 32]
