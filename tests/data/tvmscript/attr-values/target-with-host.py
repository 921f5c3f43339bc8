# reads: yes; T.target with a host
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((4, 4), "float32")):
    T.func_attr({"target": T.target("cuda", host="llvm"), "tir.is_global_func": 1})
    for bx in T.thread_binding(4, thread="blockIdx.x"):
        for tx in T.thread_binding(4, thread="threadIdx.x"):
            A[bx, tx] = A[bx, tx] * T.float32(2)
