# reads: opaque; tvm_fill_fragment and tvm_store_matrix_sync
# from tvm.script import tir as T

@T.prim_func
def wmma_tail(C: T.Buffer((16, 16), "float16")):
    for tx in T.thread_binding(32, thread="threadIdx.x"):
        with T.block("tail"):
            T.reads()
            T.writes(C[0:16, 0:16])
            C_acc = T.alloc_buffer((16, 16), "float16", scope="wmma.accumulator")
            T.tvm_fill_fragment(C_acc.data, 16, 16, 16, 0, T.float32(0))
            T.tvm_store_matrix_sync(C_acc.data, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation("float16"), C.data, 0, 256, 2), 16, "row_major")
