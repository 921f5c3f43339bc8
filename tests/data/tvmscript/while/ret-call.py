# reads: opaque; T.ret, evaluated and bare
import tvm
from tvm.script import tir as T


@T.prim_func
def load(A: T.Buffer((30,), "float64"), i: T.int32) -> T.float64:
    T.func_attr({"tir.noalias": True})
    if i < 0:
        T.ret(A[0])
    T.evaluate(T.ret(A[i]))
