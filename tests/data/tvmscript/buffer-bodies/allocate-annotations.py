# reads: yes; T.allocate with annotations and a condition
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((100,), "float32"), B: T.Buffer((100,), "float32")):
    t_1 = T.allocate([100], "float32", "global", condition=T.bool(True), annotations={"buffer_allocated_addr": [], "disable_lower_builtin": T.bool(True)})
    t = T.Buffer((100,), data=t_1)
    for i in range(100):
        t[i] = A[i] + T.float32(1)
    for i in range(100):
        B[i] = t[99 - i]
