# reads: opaque; the scopes of Trainium
# from tvm.script import tir as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer((128, 512), "float32"), B: T.Buffer((128, 512), "float32")):
    A_sb = T.alloc_buffer((128, 512), "float32", scope="trn.sbuf")
    ps = T.alloc_buffer((128, 512), "float32", scope="trn.psum")
    for i, j in T.grid(128, 512):
        with T.sblock("load"):
            vi, vj = T.axis.remap("SS", [i, j])
            A_sb[vi, vj] = A[vi, vj]
    for i, j in T.grid(128, 512):
        with T.sblock("acc"):
            vi, vj = T.axis.remap("SS", [i, j])
            ps[vi, vj] = A_sb[vi, vj] + T.float32(1)
    for i, j in T.grid(128, 512):
        with T.sblock("out"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = ps[vi, vj]
