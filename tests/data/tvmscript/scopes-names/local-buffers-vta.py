# reads: opaque; scopes of an accelerator with dots
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((16, 16), "int8"), C: T.Buffer((16, 16), "int32")):
    inp = T.alloc_buffer((16, 16), "int8", scope="local.inp_buffer")
    acc = T.alloc_buffer((16, 16), "int32", scope="local.acc_buffer")
    for i, j in T.grid(16, 16):
        with T.block("inp"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.block_attr({"dma_copy": True})
            inp[vi, vj] = A[vi, vj]
    for i, j in T.grid(16, 16):
        with T.block("acc"):
            vi, vj = T.axis.remap("SS", [i, j])
            acc[vi, vj] = T.Cast("int32", inp[vi, vj]) * 3
    for i, j in T.grid(16, 16):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = acc[vi, vj]
