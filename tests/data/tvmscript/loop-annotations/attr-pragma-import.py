# reads: opaque; an attribute that brings code of its own
from tvm.script import tirx as T


@T.prim_func
def f(A: T.Buffer((8,), "int32")):
    for i in range(8):
        T.attr(i, "pragma_import_c", "int twice(int x) { return 2 * x; }")
        A[i] = A[i] + 1
