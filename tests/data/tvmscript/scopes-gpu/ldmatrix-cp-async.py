# reads: opaque; asynchronous copies to shared memory and ldmatrix
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((16, 16), "float16"), B: T.Buffer((16, 16), "float16")):
    T.func_attr({"global_symbol": "default_function", "tir.noalias": True})
    bx = T.env_thread("blockIdx.x")
    tx = T.env_thread("threadIdx.x")
    T.launch_thread(bx, 1)
    T.launch_thread(tx, 32)
    with T.block():
        A_shared = T.alloc_buffer([16, 16], "float16", scope="shared")
        A_local = T.alloc_buffer([8], "float16", scope="local")
        T.reads(A[0:16, 0:16])
        T.writes(B[0:16, 0:16])
        T.evaluate(T.ptx_cp_async(A_shared.data, tx * 8, A.data, tx * 8, 16, dtype="float16"))
        T.evaluate(T.ptx_commit_group(dtype=""))
        T.evaluate(T.ptx_wait_group(0, dtype=""))
        T.evaluate(T.ptx_ldmatrix(0, 4, ".b16", A_local.data, 0, A_shared.data, 16 * (tx % 16) + 8 * (tx // 16), dtype="float16"))
        for k in range(2):
            for j in range(2):
                for i in range(2):
                    B[8 * j + tx // 4, 8 * k + tx % 4 * 2 + i] = A_local[4 * k + 2 * j + i]
