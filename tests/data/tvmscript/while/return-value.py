# reads: opaque; a body that returns a value
# from tvm.script import tir as T

@T.prim_func
def plus(a: T.int32, b: T.int32) -> T.int32:
    T.func_attr({"global_symbol": "plus"})
    c: T.let[T.int32] = a + b
    return c * 2


@T.prim_func
def load_or(A: T.Buffer((8,), "int32"), i: T.int32, d: T.int32) -> T.int32:
    return T.if_then_else(0 <= i and i < 8, A[i], d)
