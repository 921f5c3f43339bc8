# reads: opaque; scalable vectors
import tvm
from tvm.script import tir as T


@T.prim_func
def f(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    for i in T.serial(0, T.ceildiv(n, 4 * T.vscale())):
        B[T.ramp(i * 4 * T.vscale(), 1, 4 * T.vscale())] = A[T.ramp(i * 4 * T.vscale(), 1, 4 * T.vscale())] + T.broadcast(T.float32(1), 4 * T.vscale())
