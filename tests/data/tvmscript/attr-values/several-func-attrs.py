# reads: yes; attributes of a kernel after splitting host and device
import tvm
from tvm.script import ir as I, tir as T


@I.ir_module
class Module:
    @T.prim_func
    def kernel(A: T.Buffer((256,), "float32"), B: T.Buffer((256,), "float32")):
        T.func_attr({"calling_conv": 2, "global_symbol": "kernel", "target": T.target({"keys": ["vulkan", "gpu"], "kind": "vulkan", "max_threads_per_block": 1024, "supports_float16": T.bool(True)}), "thread_extent": {"blockIdx.x": 4, "threadIdx.x": 64}, "tir.kernel_launch_params": ["blockIdx.x", "threadIdx.x"], "tir.noalias": True})
        for bx in T.thread_binding(4, thread="blockIdx.x"):
            for tx in T.thread_binding(64, thread="threadIdx.x"):
                B[bx * 64 + tx] = A[bx * 64 + tx] * T.float32(0.5)
