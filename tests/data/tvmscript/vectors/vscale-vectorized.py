# reads: opaque; a vectorized loop of a scalable extent, a mask of lanes
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((100,), "float32"), B: T.Buffer((100,), "float32")):
    for i in T.serial(T.ceildiv(100, 4 * T.vscale())):
        for j in T.vectorized(4 * T.vscale()):
            if T.likely(i * 4 * T.vscale() + j < 100):
                B[i * 4 * T.vscale() + j] = A[i * 4 * T.vscale() + j]
    p: T.let = T.get_active_lane_mask("uint1xvscalex4", 0, 100)
    T.evaluate(T.call_extern("void", "use_mask", p))
