# reads: yes; windows whose bounds depend on the output cell
# from tvm.script import tir as T

@T.prim_func
def adaptive(x: T.Buffer((10,), "float32"), y: T.Buffer((4,), "float32")):
    for i in range(4):
        y[i] = T.float32(0)
        for k in range(4):
            if i * 10 // 4 + k < (i * 10 + 13) // 4:
                y[i] = y[i] + x[i * 10 // 4 + k]
        y[i] = y[i] / T.Cast("float32", (i * 10 + 13) // 4 - i * 10 // 4)
