# reads: yes; values with types of their own in lists
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((32,), "int32"), B: T.Buffer((32,), "int32")):
    for i in T.serial(32, annotations={"software_pipeline_stage": [T.int64(0), T.int64(1)], "double_buffer": T.uint32(1)}):
        with T.block("copy"):
            vi = T.axis.spatial(32, i)
            B[vi] = A[vi]
        with T.block("inc"):
            vi = T.axis.spatial(32, i)
            B[vi] = B[vi] + 1
