# reads: yes; a maximum and a sum carried along in cells
from tvm.script import tir as T


@T.prim_func
def online(x: T.Buffer((10, 33), "float32"), y: T.Buffer((10, 33), "float32")):
    for i in range(10):
        with T.block("row"):
            vi = T.axis.spatial(10, i)
            m = T.alloc_buffer((1,), scope="local")
            d = T.alloc_buffer((1,), scope="local")
            o = T.alloc_buffer((1,), scope="local")
            m[0] = T.float32(-65504)
            d[0] = T.float32(0)
            for k in range(33):
                o[0] = m[0]
                m[0] = T.max(m[0], x[vi, k])
                d[0] = d[0] * T.exp(o[0] - m[0]) + T.exp(x[vi, k] - m[0])
            for k in range(33):
                y[vi, k] = T.exp(x[vi, k] - m[0]) / d[0]
