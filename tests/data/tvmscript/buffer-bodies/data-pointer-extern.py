# reads: opaque; .data passed to a function without a result
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((256,), "float32"), B: T.Buffer((256,), "float32")):
    B_1 = T.allocate([256], "float32", "global")
    B_2 = T.decl_buffer((256,), data=B_1)
    T.call_extern("void", "memcpy", B_1, A.data, 1024)
    for i in range(256):
        B[i] = B_2[i]
