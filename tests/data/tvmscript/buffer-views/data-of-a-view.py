# reads: yes; data= of a view with an offset, which is the memory from its start
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((64,), "int32"), B: T.Buffer((16,), "int32")):
    upper = T.decl_buffer((32,), "int32", data=A.data, elem_offset=32)
    rows = T.decl_buffer((4, 16), "int32", data=upper.data)
    for i in range(16):
        B[i] = rows[0, i] + upper[i]
