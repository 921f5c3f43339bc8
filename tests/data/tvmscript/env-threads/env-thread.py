# reads: yes; T.env_thread, then T.launch_thread of its name
# from tvm.script import tir as T

@T.prim_func
def f(a: T.handle, b: T.handle) -> None:
    A = T.match_buffer(a, (256,), "float32")
    B = T.match_buffer(b, (256,), "float32")
    bx = T.env_thread("blockIdx.x")
    tx = T.env_thread("threadIdx.x")
    T.launch_thread(bx, 4)
    T.launch_thread(tx, 64)
    B[bx * 64 + tx] = A[bx * 64 + tx] * T.float32(2)
