# reads: yes; constants computed where they stand
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((1 << 6,), "float32"), B: T.Buffer((4 * 16,), "float32")):
    T.func_attr({"bytes": 4 * 16 * 4, "shifted": 1 << 20, "neg": -(3 + 4)})
    for i in range(4 * 16):
        B[i] = A[i]
    for i in T.serial(1 << 6, annotations={"n": 2 * 8}):
        B[i] = B[i] + T.float32(1)
