# reads: yes; T.allocate_const with its data
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    c_1 = T.allocate_const([2, 3, 5, 7, 11, 13], "int32", [6])
    c = T.decl_buffer((6,), "int32", data=c_1)
    for i in range(6):
        B[i] = A[i] * c[i]
