# reads: opaque; a named pool of global memory
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((49,), "int8"), B: T.Buffer((49,), "int8")):
    T.func_attr({"tir.noalias": T.bool(True), "global_symbol": "pooled"})
    sid_1 = T.allocate([49], "int8", "global.workspace")
    sid = T.decl_buffer((49,), "int8", data=sid_1, scope="global.workspace")
    for i in range(49):
        sid[i] = A[48 - i]
    for i in range(49):
        B[i] = sid[i]
