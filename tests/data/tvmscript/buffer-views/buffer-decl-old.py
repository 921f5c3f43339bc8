# reads: yes; T.buffer_decl of the first generation
from tvm.script import tir as T


@T.prim_func
def f(a: T.handle, b: T.handle) -> None:
    A = T.match_buffer(a, [8, 8], dtype="float32")
    B = T.match_buffer(b, [8, 8], dtype="float32")
    A_flat = T.buffer_decl([64], dtype="float32", data=A.data)
    B_flat = T.buffer_decl([64], dtype="float32", data=B.data)
    for i in T.serial(0, 64):
        B_flat[i] = A_flat[i] + T.float32(3)
