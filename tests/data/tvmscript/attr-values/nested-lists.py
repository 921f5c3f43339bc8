# reads: yes; lists inside lists, of several depths
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((3, 3), "int32"), B: T.Buffer((3, 3), "int32")):
    T.func_attr({"map": [[0, 1], [[2], [3, [4, 5]]], []], "mixed": [1, "two", 3.5, True, None]})
    for i, j in T.grid(3, 3):
        B[i, j] = A[i, j]
    for i in T.serial(3, annotations={"stages": [[0], [0, 1], [[2]]]}):
        with T.block("inc"):
            vi = T.axis.spatial(3, i)
            T.block_attr({"pads": [[1, 1], [0, 0]]})
            B[vi, 0] = B[vi, 0] + 1
