# reads: opaque; the bytes of an int32 buffer as another type
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((64,), "uint8")):
    bytes_of_a = T.decl_buffer((64,), "uint8", data=A.data)
    for i in range(64):
        B[i] = bytes_of_a[i]
    words = T.decl_buffer((16,), "uint32", data=B.data)
    for i in range(16):
        words[i] = T.shift_right(words[i], T.uint32(8))
