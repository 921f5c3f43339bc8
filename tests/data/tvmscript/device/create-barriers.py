# reads: opaque; barriers of the older async copies
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((32, 128), "float32"), B: T.Buffer((32, 128), "float32")):
    bx = T.launch_thread("blockIdx.x", 1)
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.decl_buffer((4096,), "float32", scope="shared")
    T.create_barriers(1)
    T.ptx_init_barrier_thread_count(0, 32)
    T.ptx_cp_async_bulk("float32", S.data, tx * 128, A.data, tx * 128, 512, 0)
    T.ptx_arrive_barrier_expect_tx(0, 512)
    T.ptx_wait_barrier(0)
    for j in range(128):
        B[tx, j] = S[tx * 128 + j]
