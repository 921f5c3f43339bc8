# reads: yes; the outermost block as older printers wrote it, with empty lists of regions
from tvm.script import tir as T

@T.prim_func
def scale(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    with T.block("root"):
        T.reads([])
        T.writes([])
        X = T.alloc_buffer((16,), "float32")
        for i in range(16):
            with T.block("first"):
                v = T.axis.spatial(16, i)
                X[v] = A[v] * T.float32(2.0)
        for i in range(16):
            with T.block("second"):
                v = T.axis.spatial(16, i)
                B[v] = X[v]
