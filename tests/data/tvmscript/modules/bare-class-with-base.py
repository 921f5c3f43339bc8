# reads: yes; a class without a decorator that names a base, as in test suites
import tvm
import tvm.testing
from tvm.script import tir as T


class TestFold(tvm.testing.CompareBeforeAfter):
    """The guard is folded into the loop."""

    @T.prim_func
    def before(A: T.Buffer((16,), "float32")):
        for i in range(16):
            if i < 12:
                A[i] = T.float32(0)

    @T.prim_func
    def expected(A: T.Buffer((16,), "float32")):
        for i in range(12):
            A[i] = T.float32(0)
