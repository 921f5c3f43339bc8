# reads: yes; three stages with intermediate buffers
# from tvm.script import tir as T

@T.prim_func
def dense_bias_relu(X: T.Buffer((16, 128), "float32"), W: T.Buffer((64, 128), "float32"), bias: T.Buffer((64,), "float32"), Y: T.Buffer((16, 64), "float32")):
    T.func_attr({"global_symbol": "dense_bias_relu", "tir.noalias": True})
    dense = T.alloc_buffer((16, 64))
    biased = T.alloc_buffer((16, 64))
    for i, j, k in T.grid(16, 64, 128):
        with T.block("dense"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                dense[vi, vj] = T.float32(0)
            dense[vi, vj] = dense[vi, vj] + X[vi, vk] * W[vj, vk]
    for i, j in T.grid(16, 64):
        with T.block("bias"):
            vi, vj = T.axis.remap("SS", [i, j])
            biased[vi, vj] = dense[vi, vj] + bias[vj]
    for i, j in T.grid(16, 64):
        with T.block("relu"):
            vi, vj = T.axis.remap("SS", [i, j])
            Y[vi, vj] = T.max(biased[vi, vj], T.float32(0))
