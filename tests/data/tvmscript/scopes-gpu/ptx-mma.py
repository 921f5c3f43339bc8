# reads: opaque; an mma by ptx_mma with registers of each lane
# from tvm.script import tir as T

@T.prim_func
def mma(A: T.Buffer((16, 8), "float16"), B: T.Buffer((8, 8), "float16"), C: T.Buffer((16, 8), "float32")):
    tx = T.launch_thread("threadIdx.x", 32)
    ra = T.decl_buffer((4,), "float16", scope="local")
    rb = T.decl_buffer((2,), "float16", scope="local")
    rc = T.decl_buffer((4,), "float32", scope="local")
    for i in range(4):
        rc[i] = T.float32(0)
        ra[i] = A[tx // 4 + i // 2 * 8, tx % 4 * 2 + i % 2]
    for i in range(2):
        rb[i] = B[tx % 4 * 2 + i, tx // 4]
    T.evaluate(T.ptx_mma("m16n8k8", "row", "col", "fp16", "fp16", "fp32", ra.data, 0, rb.data, 0, rc.data, 0, False, dtype="float32"))
    for i in range(4):
        C[i // 2 * 8 + tx // 4, tx % 4 * 2 + i % 2] = rc[i]
