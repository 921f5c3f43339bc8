# reads: yes; a vectorized loop with an annotation
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((16, 8), "float16"), B: T.Buffer((16, 8), "float16")):
    for i in range(16):
        for j in T.vectorized(8, annotations={"vector_load": "aligned"}):
            B[i, j] = A[i, j] * T.float16(0.5)
    for i in T.parallel(16, annotations={"chunk": 4}):
        B[i, 0] = B[i, 0] + T.float16(1)
