# reads: yes; virtual threads by T.thread_binding
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((16, 128), "float32"), B: T.Buffer((16, 128), "float32")):
    for bx in T.thread_binding(8, thread="blockIdx.x"):
        for vx in T.thread_binding(2, thread="vthread.x"):
            for tx in T.thread_binding(128, thread="threadIdx.x"):
                with T.block("B"):
                    vi = T.axis.spatial(16, vx * 8 + bx)
                    vj = T.axis.spatial(128, tx)
                    B[vi, vj] = T.sqrt(A[vi, vj])
