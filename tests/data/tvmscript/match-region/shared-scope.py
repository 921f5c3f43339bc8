# reads: yes; views of shared and local memory
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for bx in T.thread_binding(4, thread="blockIdx.x"):
        with T.block("blk"):
            vb = T.axis.spatial(4, bx)
            S = T.alloc_buffer((64,), "float32", scope="shared")
            for tx in T.thread_binding(16, thread="threadIdx.x"):
                with T.block("in"):
                    vt = T.axis.spatial(16, tx)
                    T.reads(A[vb * 16 + vt])
                    T.writes(S[vb * 16 + vt])
                    s = T.match_buffer(S[vb * 16 + vt], (), "float32", scope="shared", offset_factor=1)
                    s[()] = A[vb * 16 + vt]
            for tx in T.thread_binding(16, thread="threadIdx.x"):
                with T.block("out"):
                    vt = T.axis.spatial(16, tx)
                    T.reads(S[vb * 16:vb * 16 + 16])
                    T.writes(B[vb * 16 + vt])
                    w = T.match_buffer(S[vb * 16:vb * 16 + 16], (16,), "float32", scope="shared", offset_factor=1)
                    B[vb * 16 + vt] = w[15 - vt]
