# reads: opaque; an allocation through the runtime's workspace
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((4096,), "float32")) -> T.int32:
    w: T.let[T.handle("float32", "global")] = T.TVMBackendAllocWorkspace(1, 0, T.uint64(16384), 2, 32)
    if T.isnullptr(w):
        T.evaluate(T.tvm_throw_last_error())
    W = T.decl_buffer((4096,), data=w)
    for i in range(4096):
        W[i] = A[i]
    for i in range(4096):
        A[i] = W[4095 - i]
    if T.TVMBackendFreeWorkspace(1, 0, w) != 0:
        T.evaluate(T.tvm_throw_last_error())
    return 0
