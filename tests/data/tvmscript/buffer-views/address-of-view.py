# reads: yes; a pointer into a buffer by T.address_of
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((32,), "float32"), B: T.Buffer((16,), "float32")):
    p: T.let[T.handle("float32")] = T.address_of(A[16])
    upper = T.decl_buffer((16,), "float32", data=p)
    for i in range(16):
        B[i] = upper[i]
    q: T.handle("float32") = T.address_of(A[0])
    lower = T.Buffer((16,), "float32", data=q)
    for i in range(16):
        B[i] = B[i] + lower[i]
