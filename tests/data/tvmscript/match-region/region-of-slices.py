# reads: yes; a region given by single indices and slices together
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((3, 4, 5, 6), "float32"), B: T.Buffer((3, 5), "float32")):
    for i, k in T.grid(3, 5):
        with T.block("B"):
            vi, vk = T.axis.remap("SS", [i, k])
            T.reads(A[vi, 0:4, vk, 0:6])
            T.writes(B[vi, vk])
            plane = T.match_buffer(A[vi, 0:4, vk, 0:6], (4, 6), "float32", strides=[30, 1], offset_factor=1)
            B[vi, vk] = plane[0, 0] + plane[3, 5]
