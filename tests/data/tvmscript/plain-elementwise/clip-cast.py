# reads: yes; a clip and a cast to int8
# from tvm.script import tir as T

@T.prim_func
def clip_cast(x: T.Buffer((1024,), "int32"), y: T.Buffer((1024,), "int8")):
    for i in T.vectorized(1024):
        with T.block("compute"):
            vi = T.axis.spatial(1024, i)
            y[vi] = T.Cast("int8", T.max(T.min(x[vi], 127), -128))
    for i in range(1024):
        y[i] = T.max(y[i], T.int8(0))
