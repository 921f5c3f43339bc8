# reads: yes; the argument dtype= of older calls
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((12,), "int32")) -> None:
    for i in T.serial(0, 12):
        A[i] = T.call_extern("next_random", i, dtype="int32")
    T.evaluate(T.call_extern("finish", 12, dtype="void"))
    for i in T.serial(0, 12):
        A[i] = A[i] + 1
