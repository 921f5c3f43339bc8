# reads: opaque; T.tvm_access_ptr with a type annotation
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((256,), "float16"), B: T.Buffer((256,), "float16")):
    T.evaluate(T.call_extern("handle", "transpose16", T.tvm_access_ptr(T.type_annotation("float16"), B.data, 0, 256, 2), T.tvm_access_ptr(T.type_annotation("float16"), A.data, 0, 256, 1), dtype="handle"))
    for i in range(256):
        B[i] = B[i] + T.float16(1)
    T.evaluate(T.call_extern("int32", "fill", T.tvm_access_ptr(T.type_annotation("float16"), B.data, 128, 64, 3), 64))
    for i in range(64):
        B[i + 128] = B[i + 128] * T.float16(2)
