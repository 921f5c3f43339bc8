# reads: yes; a grid whose size is computed from a parameter
# from tvm.script import tir as T

@T.prim_func
def f(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    bx = T.launch_thread("blockIdx.x", (n + 255) // 256)
    tx = T.launch_thread("threadIdx.x", 256)
    if bx * 256 + tx < n:
        B[bx * 256 + tx] = T.exp(A[bx * 256 + tx])
