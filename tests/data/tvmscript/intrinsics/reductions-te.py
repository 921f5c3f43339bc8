# reads: opaque; reducers in an expression, before reductions are lowered
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((16, 32), "float32"), B: T.Buffer((16,), "float32")):
    k = T.int32()
    for i in range(16):
        B[i] = T.reduce(T.comm_reducer(lambda x, y: x + y, [T.float32(0)]), [A[i, k]], [T.iter_var(k, T.Range(0, 32), "CommReduce", "")], T.bool(True), 0, [])
    r = T.int32()
    for i in range(16):
        B[i] = T.max(B[i], T.float32(0)) + T.reduce(T.comm_reducer(lambda x, y: T.max(x, y), [T.min_value("float32")]), [A[i, r]], [T.iter_var(r, T.Range(0, 32), "CommReduce", "")], r < 16, 0, [])
