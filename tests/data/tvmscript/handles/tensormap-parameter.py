# reads: opaque; parameters of type T.TensorMap
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A_map: T.TensorMap(), B_map: T.TensorMap(), C: T.Buffer((128, 128), "float16")):
    bx = T.launch_thread("blockIdx.x", 4)
    tx = T.launch_thread("threadIdx.x", 128)
    S = T.decl_buffer((128, 32), "float16", scope="shared.dyn")
    if tx == 0:
        T.call_extern("void", "tma_load_2d", S.data, T.address_of(A_map), 0, bx * 32)
        T.call_extern("void", "tma_load_2d", S.data, T.address_of(B_map), 0, bx * 32)
    for j in range(32):
        C[tx, bx * 32 + j] = S[tx, j]
