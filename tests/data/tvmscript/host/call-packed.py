# reads: opaque; T.call_packed with strings, numbers and pointers
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
    T.func_attr({"global_symbol": "main"})
    T.evaluate(T.call_packed("tvm.contrib.cblas.matmul", T.tvm_stack_make_array(A.data, T.tvm_stack_make_shape(16, 16, dtype="handle"), 0, 2, T.float32(0), 0, dtype="handle"), T.tvm_stack_make_array(B.data, T.tvm_stack_make_shape(16, 16, dtype="handle"), 0, 2, T.float32(0), 0, dtype="handle"), False, True, dtype="int32"))
    T.call_packed("testing.echo", 1, T.float32(0.5), "done")
    x: T.let[T.int32] = T.tvm_call_packed("testing.rank", A.data)
    if x == 0:
        T.evaluate(T.call_packed("testing.done"))
