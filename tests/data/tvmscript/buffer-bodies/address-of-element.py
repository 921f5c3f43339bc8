# reads: opaque; T.address_of an element passed on
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    for i in range(8):
        T.evaluate(T.call_extern("void", "copy16", T.address_of(B[i * 16]), T.address_of(A[(7 - i) * 16])))
    p: T.let[T.handle("float32")] = T.address_of(B[64])
    T.evaluate(T.call_extern("void", "negate64", p))
    for i in T.serial(128):
        B[i] = B[i] + T.float32(1)
