# reads: yes; two buffers in one lowered dynamic allocation
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((256,), "float32"), B: T.Buffer((256,), "float32")):
    bx = T.launch_thread("blockIdx.x", 2)
    buf_dyn_shmem = T.allocate([1024], "uint8", "shared.dyn")
    tx = T.launch_thread("threadIdx.x", 128)
    s0 = T.decl_buffer((128,), "float32", data=buf_dyn_shmem, scope="shared.dyn")
    s1 = T.decl_buffer((128,), "float32", data=buf_dyn_shmem, elem_offset=128, scope="shared.dyn")
    s0[tx] = A[bx * 128 + tx]
    s1[tx] = s0[tx] * T.float32(2)
    T.tvm_storage_sync("shared.dyn")
    B[bx * 128 + tx] = s0[127 - tx] + s1[127 - tx]
