# reads: yes; x: T.let[T.int32] = …
# from tvm.script import tir as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    for i in range(64):
        row: T.let[T.int32] = i // 8
        col: T.let[T.int32] = i % 8
        B[col * 8 + row] = A[i]
    last: T.let[T.int32] = B[63]
    B[0] = last
