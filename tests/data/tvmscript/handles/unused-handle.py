# reads: yes; a parameter T.handle without a shape that nothing uses
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((10,), "float32"), resource: T.handle, out: T.Buffer((10,), "float32")):
    T.func_attr({"tir.noalias": True})
    for i in range(10):
        with T.block("out"):
            vi = T.axis.spatial(10, i)
            out[vi] = A[vi] + T.float32(1)
