# A convolution of 30 samples with a filter of 3. Samples before the first and after the last count as zero.
from tvm.script import tir as T


@T.prim_func
def conv(x: T.handle, w: T.handle, y: T.handle):
    X = T.match_buffer(x, (30,), "float32")
    W = T.match_buffer(w, (3,), "float32")
    Y = T.match_buffer(y, (30,), "float32")
    for i, k in T.grid(30, 3):
        with T.block("conv"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                Y[vi] = T.float32(0)
            if 1 <= vi + vk and vi + vk < 31:
                Y[vi] = Y[vi] + X[vi + vk - 1] * W[vk]
