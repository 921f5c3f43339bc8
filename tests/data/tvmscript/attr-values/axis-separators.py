# reads: yes; separators of axes of a parameter and an allocation
import tvm
from tvm.script import tir as T


@T.prim_func
def f(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (4, 8, 16), "float32", axis_separators=[1])
    B = T.match_buffer(b, (4, 8, 16), "float32", axis_separators=[1])
    C = T.alloc_buffer((4, 8, 16), "float32", axis_separators=[1])
    for i, j, k in T.grid(4, 8, 16):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSS", [i, j, k])
            C[vi, vj, vk] = A[vi, vj, vk]
    for i, j, k in T.grid(4, 8, 16):
        with T.block("B"):
            vi, vj, vk = T.axis.remap("SSS", [i, j, k])
            B[vi, vj, vk] = C[vi, vj, vk]
