# reads: yes; a comprehension over python numbers
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((4, 4, 4), "float32"), B: T.Buffer((4, 4, 4), "float32")):
    for i, j, k in T.grid(*[4 for _ in range(3)]):
        with T.block("B"):
            vi, vj, vk = T.axis.remap("SSS", [i, j, k])
            idx = T.meta_var([vk, vj, vi])
            B[idx[0], idx[1], idx[2]] = A[vi, vj, vk]
