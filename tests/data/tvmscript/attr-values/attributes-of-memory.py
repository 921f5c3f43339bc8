# reads: yes; where memory lies, as attributes of allocations and parameters
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
    T.attr(A.data, "storage_alignment", 64)
    tile = T.alloc_buffer((16, 16), "float32", scope="shared")
    with T.attr(tile.data, "buffer_dim_align", [0, 32, 8]):
        for i, j in T.grid(16, 16):
            tile[i, j] = A[i, j]
    T.attr(tile, "double_buffer_scope", 1)
    for i in T.serial(16, annotations={"reads_of": [tile, A[0, 0]]}):
        for j in T.serial(16, annotations={"row": i}):
            B[i, j] = tile[j, i]
