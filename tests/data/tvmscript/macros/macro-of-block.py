# reads: yes; a macro that makes a block and its loops
from tvm.script import tir as T


@T.macro
def elementwise(dst, src, n, m):
    for i, j in T.grid(n, m):
        with T.block("elementwise"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(src[vi, vj])
            T.writes(dst[vi, vj])
            dst[vi, vj] = T.exp(src[vi, vj])


@T.prim_func(private=True)
def f(A: T.Buffer((8, 4), "float32"), B: T.Buffer((8, 4), "float32")):
    C = T.alloc_buffer((8, 4), "float32")
    elementwise(C, A, 8, 4)
    elementwise(B, C, 8, 4)
