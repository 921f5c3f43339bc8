# reads: yes; barriers of shared memory and of warps
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((2, 32), "int32"), B: T.Buffer((2, 32), "int32")):
    bx = T.launch_thread("blockIdx.x", 2)
    tx = T.launch_thread("threadIdx.x", 32)
    s = T.decl_buffer((32,), "int32", scope="shared")
    s[tx] = A[bx, tx]
    T.evaluate(T.tvm_storage_sync("shared"))
    B[bx, tx] = s[31 - tx]
    T.tvm_storage_sync("warp")
    B[bx, tx] = B[bx, tx] + 1
