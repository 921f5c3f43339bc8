# reads: yes; the let of the first generation
# from tvm.script import tir as T

@T.prim_func
def f(a: T.handle, b: T.handle) -> None:
    A = T.match_buffer(a, (16,), "int32")
    B = T.match_buffer(b, (16,), "int32")
    k = T.var("int32")
    for i in T.serial(0, 16):
        with T.let(k, i * 3 + 1):
            B[i] = A[i] + k
