# reads: yes; T.Assert with a body, an assert of an integer with an empty message
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((4,), "int32"), k: T.int32):
    with T.Assert(k < 4, "k is in range"):
        A[k] = 0
    assert 0 <= k, "k is negative"
    assert 1, ""
    A[0] = k
