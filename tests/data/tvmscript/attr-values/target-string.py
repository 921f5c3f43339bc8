# reads: yes; T.target of a string
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    T.func_attr({"global_symbol": "f", "target": T.target("llvm -mcpu=skylake -num-cores=4")})
    for i in range(16):
        B[i] = A[i]
    for i in T.serial(16, annotations={"device": T.target("c")}):
        B[i] = B[i] + T.float32(1)
