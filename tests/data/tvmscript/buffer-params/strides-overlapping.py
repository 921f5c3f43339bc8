# reads: yes; windows of a signal as a parameter whose rows share cells
from tvm.script import tir as T


@T.prim_func
def f(frames: T.Buffer((13, 8), "float32", strides=(4, 1)), energy: T.Buffer((13,), "float32")):
    for i, k in T.grid(13, 8):
        with T.block("energy"):
            vi, vk = T.axis.remap("SR", [i, k])
            T.reads(frames[vi, vk])
            T.writes(energy[vi])
            with T.init():
                energy[vi] = T.float32(0)
            energy[vi] = energy[vi] + frames[vi, vk] * frames[vi, vk]
