# reads: opaque; a scope of a user's own target
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((64,), "int16"), B: T.Buffer((64,), "int16")):
    L1 = T.alloc_buffer((64,), "int16", scope="npu0:scratch/L1")
    for i in range(64):
        with T.block("L1"):
            vi = T.axis.spatial(64, i)
            L1[vi] = A[vi]
    for i in range(64):
        with T.block("B"):
            vi = T.axis.spatial(64, i)
            B[vi] = L1[63 - vi]
