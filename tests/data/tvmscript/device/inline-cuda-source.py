# reads: opaque; source text of a helper in a call
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((64,), "float32")):
    T.device_entry()
    bx = T.cta_id([2])
    tx = T.thread_id([32])
    A[bx * 32 + tx] = T.cuda.func_call("fast_sqrt", A[bx * 32 + tx], source_code="""
__device__ float fast_sqrt(float x) {
  return __fsqrt_rn(x);
}
""", return_type="float32")
