# reads: opaque; registers of a simdgroup
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((8, 8), "float16"), B: T.Buffer((8, 8), "float16")):
    tx = T.launch_thread("threadIdx.x", 32)
    frag = T.decl_buffer((64,), "float16", scope="metal.simdgroup")
    T.make_filled_simdgroup_matrix(frag.data, 0, T.float32(0), 8, 8)
    T.simdgroup_load(frag.data, 0, A.access_ptr("r"), 8, 8, 8, T.bool(False))
    T.simdgroup_store(frag.data, 0, B.access_ptr("w"), 8, 8, 8, T.bool(False))
