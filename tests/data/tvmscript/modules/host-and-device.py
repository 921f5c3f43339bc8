# reads: opaque; a host function that launches a kernel by call_packed
from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.handle("float32"), n: T.int32) -> T.int32:
        T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "llvm", "tag": ""}), "calling_conv": 1})
        T.call_packed("main_kernel", A, n, (n + 127) // 128, 128)
        return 0

    @T.prim_func(private=True)
    def main_kernel(A: T.handle("float32"), n: T.int32):
        T.func_attr({"calling_conv": 2, "target": T.target({"arch": "sm_80", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "thread_warp_size": 32}), "tir.is_global_func": True, "tir.kernel_launch_params": ["blockIdx.x", "threadIdx.x"], "tir.noalias": True})
        A_1 = T.decl_buffer((n,), data=A)
        bx = T.launch_thread("blockIdx.x", (n + 127) // 128)
        tx = T.launch_thread("threadIdx.x", 128)
        if bx * 128 + tx < n:
            A_1[bx * 128 + tx] = A_1[bx * 128 + tx] + T.float32(1)
