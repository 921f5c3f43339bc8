# reads: yes; a tile in shared.dyn
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((32, 64), "float32"), B: T.Buffer((32, 64), "float32")):
    for bx in T.thread_binding(32, thread="blockIdx.x"):
        with T.block("blk"):
            vb = T.axis.spatial(32, bx)
            S = T.alloc_buffer((64,), "float32", scope="shared.dyn")
            for tx in T.thread_binding(64, thread="threadIdx.x"):
                with T.block("S"):
                    vt = T.axis.spatial(64, tx)
                    S[vt] = A[vb, vt]
            for tx in T.thread_binding(64, thread="threadIdx.x"):
                with T.block("B"):
                    vt = T.axis.spatial(64, tx)
                    B[vb, vt] = S[63 - vt] + S[vt]
