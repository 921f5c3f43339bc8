# reads: yes; one query against a cache: a maximum, a sum and values kept by each thread
# from tvm.script import tir as T

@T.prim_func
def decode(Q: T.Buffer((4, 32), "float32"), K: T.Buffer((64, 4, 32), "float32"), V: T.Buffer((64, 4, 32), "float32"), O: T.Buffer((4, 32), "float32")):
    T.func_attr({"tir.is_global_func": True})
    bx = T.launch_thread("blockIdx.x", 4)
    S_1 = T.allocate([64], "float32", "shared")
    tx = T.launch_thread("threadIdx.x", 32)
    st_1 = T.allocate([2], "float32", "local")
    S = T.decl_buffer((64,), data=S_1, scope="shared")
    st = T.decl_buffer((2,), data=st_1, scope="local")
    for r in range(2):
        S[r * 32 + tx] = T.float32(0)
        for d in range(32):
            S[r * 32 + tx] = S[r * 32 + tx] + Q[bx, d] * K[r * 32 + tx, bx, d]
    T.tvm_storage_sync("shared")
    st[0] = T.float32(-50000)
    for j in range(64):
        st[0] = T.max(st[0], S[j])
    st[1] = T.float32(0)
    O[bx, tx] = T.float32(0)
    for j in range(64):
        w: T.let[T.float32] = T.exp(S[j] - st[0])
        st[1] = st[1] + w
        O[bx, tx] = O[bx, tx] + w * V[j, bx, tx]
    O[bx, tx] = O[bx, tx] / st[1]
