# reads: yes; an annotation with the value 1
from tvm.script import tir as T


@T.prim_func
def pad_then_double(A: T.Buffer((10,), "int32"), C: T.Buffer((14,), "int32")):
    B = T.alloc_buffer((14,), "int32")
    for i in range(14):
        with T.block("pad"):
            vi = T.axis.spatial(14, i)
            T.block_attr({"meta_schedule.random_compute_producer": 1})
            B[vi] = T.if_then_else(2 <= vi and vi < 12, A[vi - 2], 0)
    for i in range(14):
        with T.block("double"):
            vi = T.axis.spatial(14, i)
            T.block_attr({"meta_schedule.inline_rule": "disable"})
            C[vi] = B[vi] * 2
