# reads: yes; a hint for loop partitioning
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((50,), "float32"), B: T.Buffer((64,), "float32")):
    for i in T.serial(64, annotations={"pragma_loop_partition_hint": True}):
        if i < 50:
            B[i] = A[i]
        else:
            B[i] = T.float32(0)
