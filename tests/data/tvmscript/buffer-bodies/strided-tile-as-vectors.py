# reads: yes; a padded tile, its memory as one row, rows of it as vectors
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32")):
    tile = T.alloc_buffer((8, 8), "float32", scope="shared", strides=(12, 1))
    row = T.decl_buffer((92,), "float32", data=tile.data, scope="shared")
    for k in range(92):
        row[k] = T.float32(0)
    for i in range(8):
        tile[i, 0:8] = A[i, 0:8]
    for i in range(8):
        v: T.let[T.float32x4] = row[i * 12 + 6:i * 12 + 10]
        B[i, 0:4] = v
        B[i, 4:8] = v + tile[i, 0:4]
