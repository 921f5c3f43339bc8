# reads: yes; T.launch_thread as an assignment, three dimensions
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((4, 8, 16), "float32"), B: T.Buffer((16, 8, 4), "float32")):
    T.func_attr({"tir.is_global_func": True})
    bz = T.launch_thread("blockIdx.z", 4)
    by = T.launch_thread("blockIdx.y", 8)
    tx = T.launch_thread("threadIdx.x", 16)
    B[tx, by, bz] = A[bz, by, tx]
