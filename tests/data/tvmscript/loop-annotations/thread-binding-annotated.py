# reads: yes; annotations of a bound loop
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((40, 128), "float32"), B: T.Buffer((40, 128), "float32")):
    for bx in T.thread_binding(40, thread="blockIdx.x", annotations={"pragma_auto_unroll_max_step": 512, "pragma_unroll_explicit": T.int64(1)}):
        for tx in T.thread_binding(128, thread="threadIdx.x"):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [bx, tx])
                B[vi, vj] = T.exp(A[vi, vj])
