# reads: yes; two products through an intermediate
from tvm.script import tir as T


@T.prim_func
def lora(x: T.Buffer((8, 64), "float32"), a: T.Buffer((64, 4), "float32"), b: T.Buffer((4, 64), "float32"), y: T.Buffer((8, 64), "float32")):
    # LoRA: y = x + (x a) b
    t = T.alloc_buffer((8, 4), "float32")
    for i, r, k in T.grid(8, 4, 64):
        with T.block("down"):
            vi, vr, vk = T.axis.remap("SSR", [i, r, k])
            with T.init():
                t[vi, vr] = T.float32(0)
            t[vi, vr] += x[vi, vk] * a[vk, vr]
    for i, j, r in T.grid(8, 64, 4):
        with T.block("up"):
            vi, vj, vr = T.axis.remap("SSR", [i, j, r])
            with T.init():
                y[vi, vj] = x[vi, vj]
            y[vi, vj] += t[vi, vr] * b[vr, vj]
