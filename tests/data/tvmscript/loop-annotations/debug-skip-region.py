# reads: yes; an attribute statement around a loop
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((100,), "float32"), B: T.Buffer((100,), "float32")):
    with T.attr(0, "pragma_debug_skip_region", 1):
        for i in range(100):
            B[i] = A[i]
    T.attr(0, "pragma_scope_note", "rest of the function")
    for i in range(100):
        B[i] = B[i] * T.float32(0.5)
