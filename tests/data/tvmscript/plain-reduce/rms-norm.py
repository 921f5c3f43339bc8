# reads: yes; a root of the mean square, float16 in, float32 inside
from tvm.script import tir as T


@T.prim_func
def rms_norm(x: T.Buffer((4, 64), "float16"), w: T.Buffer((64,), "float16"), y: T.Buffer((4, 64), "float16")):
    ss = T.alloc_buffer((4,), "float32")
    for i, k in T.grid(4, 64):
        with T.block("sum_sq"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                ss[vi] = T.float32(0)
            ss[vi] = ss[vi] + T.Cast("float32", x[vi, vk]) * T.Cast("float32", x[vi, vk])
    for i, j in T.grid(4, 64):
        with T.block("rms_norm"):
            vi, vj = T.axis.remap("SS", [i, j])
            y[vi, vj] = T.Cast("float16", T.Cast("float32", x[vi, vj]) / T.sqrt(ss[vi] / T.float32(64) + T.float32(1e-06)) * T.Cast("float32", w[vj]))
