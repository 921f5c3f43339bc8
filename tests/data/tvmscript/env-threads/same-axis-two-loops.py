# reads: yes; threadIdx.x bound by two loops with a barrier between them
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((8, 64), "float32"), B: T.Buffer((8, 64), "float32")):
    bx = T.launch_thread("blockIdx.x", 8)
    s_1 = T.allocate([64], "float32", "shared")
    s = T.decl_buffer((64,), data=s_1, scope="shared")
    with T.launch_thread("threadIdx.x", 64) as tx:
        s[tx] = A[bx, tx]
        T.tvm_storage_sync("shared")
        B[bx, tx] = s[63 - tx]
