# reads: opaque; a cross-thread reduction by tvm_thread_allreduce
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((128, 32), "float32"), B: T.Buffer((128,), "float32")):
    bx = T.launch_thread("blockIdx.x", 128)
    tx = T.launch_thread("threadIdx.x", 32)
    red_1 = T.allocate([1], "float32", "local")
    red = T.decl_buffer((1,), data=red_1, scope="local")
    with T.attr(T.comm_reducer(lambda x, y: x + y, [T.float32(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
        T.tvm_thread_allreduce(T.uint32(1), A[bx, tx], T.bool(True), red[0], tx)
    if tx == 0:
        B[bx] = red[0]
