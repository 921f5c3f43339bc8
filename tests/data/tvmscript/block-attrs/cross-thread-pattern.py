# reads: yes; the mark of a cross-thread reduction on a sum that one thread makes
# from tvm.script import tir as T

@T.prim_func
def red(A: T.Buffer((16, 256), "float32"), S: T.Buffer((16,), "float32")):
    for i in T.thread_binding(16, thread="blockIdx.x"):
        for ko in range(8):
            for ki in T.unroll(32):
                with T.block("S"):
                    vi = T.axis.spatial(16, i)
                    vk = T.axis.reduce(256, ko * 32 + ki)
                    T.block_attr({"meta_schedule.cross_thread_reduction_applied": 1})
                    with T.init():
                        S[vi] = T.float32(0)
                    S[vi] = S[vi] + A[vi, vk]
