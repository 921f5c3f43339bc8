# reads: yes; a scheduled product: virtual threads, pipeline annotations, aligned shared tiles
from tvm.script import tir as T


@T.prim_func
def main(var_A: T.handle, B: T.Buffer((T.int64(128), T.int64(128)), "float16"), var_C: T.handle):
    T.func_attr({"global_symbol": "main", "tir.is_scheduled": 1, "tir.noalias": T.bool(True)})
    n = T.int64()
    A = T.match_buffer(var_A, (T.int64(1), n, T.int64(128)), "float16")
    C = T.match_buffer(var_C, (T.int64(1), n, T.int64(128)), "float16")
    # with T.block("root"):
    A_pad = T.alloc_buffer((T.int64(1), (n + T.int64(31)) // T.int64(32) * T.int64(32), T.int64(128)), "float16", scope="shared")
    for bx in T.thread_binding((n + T.int64(31)) // T.int64(32), thread="blockIdx.x"):
        for vx in T.thread_binding(T.int64(1), thread="vthread.x"):
            for k_0 in T.serial(T.int64(8), annotations={"software_pipeline_order": [0, 1], "software_pipeline_stage": [0, 0]}):
                for ty, j in T.grid(T.int64(32), T.int64(16)):
                    with T.block("A_pad"):
                        v0 = T.axis.spatial(T.int64(1), T.int64(0))
                        v1 = T.axis.spatial((n + T.int64(31)) // T.int64(32) * T.int64(32), bx * T.int64(32) + ty)
                        v2 = T.axis.spatial(T.int64(128), k_0 * T.int64(16) + j)
                        T.reads(A[v0, v1, v2])
                        T.writes(A_pad[v0, v1, v2])
                        T.block_attr({"buffer_dim_align": [[0, 1, 8, 2]]})
                        A_pad[v0, v1, v2] = T.if_then_else(v1 < n, A[v0, v1, v2], T.float16(0))
                for i, c, k_1 in T.grid(T.int64(32), T.int64(128), T.int64(16)):
                    with T.block("C"):
                        T.where(bx * T.int64(32) + i < n)
                        v1 = T.axis.spatial(n, bx * T.int64(32) + vx * T.int64(32) + i)
                        v2 = T.axis.spatial(T.int64(128), c)
                        vk = T.axis.reduce(T.int64(128), k_0 * T.int64(16) + k_1)
                        T.reads(A_pad[T.int64(0), v1, vk], B[v2, vk])
                        T.writes(C[T.int64(0), v1, v2])
                        with T.init():
                            C[T.int64(0), v1, v2] = T.float16(0)
                        C[T.int64(0), v1, v2] = C[T.int64(0), v1, v2] + A_pad[T.int64(0), v1, vk] * B[v2, vk]
