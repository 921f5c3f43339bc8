# reads: yes; T.launch_thread of a string, with as
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((1024,), "float32"), B: T.Buffer((1024,), "float32")):
    with T.launch_thread("blockIdx.x", 8) as bx:
        with T.launch_thread("threadIdx.x", 128) as tx:
            B[bx * 128 + tx] = A[bx * 128 + tx] + T.float32(1)
    with T.launch_thread("threadIdx.x", 256) as tx_1:
        for k in range(4):
            B[k * 256 + tx_1] = B[k * 256 + tx_1] * A[k * 256 + tx_1]
