# reads: yes; no dimension, one number as a shape, a list as a shape
# from tvm.script import tir as T

@T.prim_func
def f(x: T.Buffer((), "float32"), y: T.Buffer(16, "float32"), z: T.Buffer([4, 4], "float32")):
    for i in range(16):
        with T.block("z"):
            vi = T.axis.spatial(16, i)
            z[vi // 4, vi % 4] = y[vi] + x[()]
    for i in range(4):
        z[i, i] = z[i, i] + x[()] * T.float32(2)
