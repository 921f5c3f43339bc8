# reads: opaque; pointers without a buffer passed to a C function, a string, two returns
# from tvm.script import tir as T

@T.prim_func
def f(ctx: T.handle("void"), name: T.handle("int8"), n: T.int32) -> T.int32:
    T.func_attr({"calling_conv": 0, "global_symbol": "f"})
    T.evaluate(T.call_extern("int32", "log_name", ctx, name, T.StringImm("start")))
    if n == 0:
        T.ret(-1)
    T.ret(0)
