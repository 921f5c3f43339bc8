# reads: yes; parameters whose layout may be chosen
# from tvm.script import tir as T

@T.prim_func
def dense(x: T.Buffer((8, 96), "float32"), w: T.Buffer((24, 96), "float32"), y: T.Buffer((8, 24), "float32")):
    T.func_attr({"layout_free_buffers": [1]})
    for i, j, k in T.grid(8, 24, 96):
        with T.block("y"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            T.reads(x[vi, vk], w[vj, vk])
            T.writes(y[vi, vj])
            T.block_attr({"layout_free_placeholders": [w]})
            with T.init():
                y[vi, vj] = T.float32(0)
            y[vi, vj] = y[vi, vj] + x[vi, vk] * w[vj, vk]
