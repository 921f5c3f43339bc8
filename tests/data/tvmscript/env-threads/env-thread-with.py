# reads: yes; the same threads launched twice
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((32,), "int32"), B: T.Buffer((32,), "int32")):
    tx = T.env_thread("threadIdx.x")
    with T.launch_thread(tx, 32):
        A[tx] = A[tx] + 1
    with T.launch_thread(tx, 32):
        B[tx] = A[31 - tx]
