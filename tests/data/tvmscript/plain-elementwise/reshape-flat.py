# reads: yes; a reshape as index arithmetic, int64
# from tvm.script import tir as T

@T.prim_func
def reshape(A: T.Buffer((T.int64(6), T.int64(20)), "float16"), B: T.Buffer((T.int64(3), T.int64(5), T.int64(8)), "float16")):
    T.func_attr({"tir.noalias": T.bool(True), "op_pattern": 2})
    for ax0, ax1, ax2 in T.grid(T.int64(3), T.int64(5), T.int64(8)):
        with T.block("T_reshape"):
            v0, v1, v2 = T.axis.remap("SSS", [ax0, ax1, ax2])
            B[v0, v1, v2] = A[(v0 * T.int64(40) + v1 * T.int64(8) + v2) // T.int64(20) % T.int64(6), (v0 * T.int64(40) + v1 * T.int64(8) + v2) % T.int64(20)]
