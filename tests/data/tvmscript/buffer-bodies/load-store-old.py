# reads: yes; T.load and T.store of the first generation
from tvm.script import tir as T


@T.prim_func
def f(A: T.handle("float32"), B: T.handle("float32")):
    T.func_attr({"global_symbol": "f", "tir.noalias": True})
    A_1 = T.buffer_decl([32], dtype="float32", data=A)
    B_1 = T.buffer_decl([32], dtype="float32", data=B)
    for i in T.serial(0, 32):
        T.store(B_1.data, i, T.load("float32", A_1.data, i) + T.float32(1), True)
