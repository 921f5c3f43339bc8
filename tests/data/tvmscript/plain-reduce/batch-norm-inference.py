# reads: yes; a batch norm of four vectors
from tvm.script import tir as T


@T.prim_func
def batch_norm(x: T.Buffer((1, 8, 5, 5), "float32"), gamma: T.Buffer((8,), "float32"), beta: T.Buffer((8,), "float32"), mean: T.Buffer((8,), "float32"), var: T.Buffer((8,), "float32"), y: T.Buffer((1, 8, 5, 5), "float32")):
    for n, c, h, w in T.grid(1, 8, 5, 5):
        with T.block("T_batch_norm"):
            vn, vc, vh, vw = T.axis.remap("SSSS", [n, c, h, w])
            y[vn, vc, vh, vw] = (x[vn, vc, vh, vw] - mean[vc]) / T.sqrt(var[vc] + T.float32(1e-05)) * gamma[vc] + beta[vc]
            y[vn, vc, vh, vw] = T.max(y[vn, vc, vh, vw], T.float32(0))
