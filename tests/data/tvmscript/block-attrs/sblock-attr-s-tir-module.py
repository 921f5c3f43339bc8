# reads: yes; sblock_attr in a module, a name of a postprocessor
import tvm
from tvm.script import ir as I, tir as T


@I.ir_module(s_tir=True)
class Module:
    @T.prim_func(private=True, s_tir=True)
    def fused_add_relu(x: T.Buffer((T.int64(12),), "float32"), y: T.Buffer((T.int64(12),), "float32"), z: T.Buffer((T.int64(12),), "float32")):
        T.func_attr({"tir.noalias": True})
        t = T.sblock_alloc_buffer((T.int64(12),))
        for i in range(T.int64(12)):
            with T.sblock("add"):
                v = T.axis.spatial(T.int64(12), i)
                T.sblock_attr({"warp_execution": T.bool(True)})
                t[v] = x[v] + y[v]
        for i in range(T.int64(12)):
            with T.sblock("relu"):
                v = T.axis.spatial(T.int64(12), i)
                T.sblock_attr({"meta_schedule.auto_tensorize": "", "explicit": None})
                z[v] = T.max(t[v], T.float32(0))
