# reads: yes; A.view with an extent of -1, of an allocation, and of a view
from tvm.script import tirx as T


@T.prim_func
def head_major(X: T.Buffer((12, 8), "float32"), Y: T.Buffer((2, 12, 4), "float32")):
    tmp = T.alloc_buffer((96,), "float32")
    heads = tmp.view(12, 2, -1)
    flat = heads.view(-1)
    for i, j in T.grid(12, 8):
        flat[i * 8 + j] = X[i, j]
    for h, i, k in T.grid(2, 12, 4):
        Y[h, i, k] = heads[i, h, k]
