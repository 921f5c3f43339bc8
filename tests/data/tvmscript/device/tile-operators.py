# reads: opaque; operators on tiles with a namespace of their own
from tvm.script import tir as T
from tvm.script import tirx as Tx


@T.prim_func
def gemm(A: T.Buffer((128, 64), "float16"), B: T.Buffer((128, 64), "float16"), C: T.Buffer((128, 128), "float32")):
    T.device_entry()
    bx = T.cta_id([1])
    tx = T.thread_id([128])
    A_s = T.alloc_buffer((128, 64), "float16", scope="shared.dyn")
    B_s = T.alloc_buffer((128, 64), "float16", scope="shared.dyn")
    acc = T.alloc_buffer((128, 128), "float32", scope="local")
    with T.cta():
        Tx.copy(A_s[:, :], A[:, :])
        Tx.copy(B_s[:, :], B[:, :])
        T.cuda.cta_sync()
        Tx.gemm(acc[:, :], A_s[:, :], B_s[:, :], transpose_B=True)
        Tx.copy(C[0:128, 0:128], acc[:, :])
