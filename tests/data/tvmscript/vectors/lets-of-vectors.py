# reads: yes; vectors bound to names, and two halves exchanged
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((64,), "float32"), k: T.Buffer((4,), "float32")):
    for i in range(8):
        lo: T.float32x4 = A[i * 8:i * 8 + 4]
        hi = A.vload([i * 8 + 4], "float32x4")
        with T.LetStmt(T.broadcast(k[i // 2], 4)) as scale:
            A[i * 8:i * 8 + 4] = hi * scale
            A.vstore([i * 8 + 4], T.Select(lo < hi, lo, hi) * scale)
