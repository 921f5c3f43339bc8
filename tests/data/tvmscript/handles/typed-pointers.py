# reads: yes; pointers with types, declared as buffers in the body
import tvm
from tvm.script import tir as T


@T.prim_func
def f(a: T.handle("float32"), b: T.handle("float32", "global"), n: T.int32):
    T.func_attr({"calling_conv": 2, "tir.noalias": True})
    A = T.decl_buffer((n,), "float32", data=a)
    B = T.decl_buffer((n,), "float32", data=b)
    for i in range(n):
        B[i] = A[i] * T.float32(2)
