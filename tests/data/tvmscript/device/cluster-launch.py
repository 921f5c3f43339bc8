# reads: opaque; clusters of blocks and launch attributes
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module(s_tir=True)
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((4096,), "float32")):
        T.func_attr({"target": T.target({"arch": "sm_90a", "kind": "cuda"}), "tir.kernel_launch_params": ["blockIdx.x", "clusterIdx.x", "threadIdx.x", "tir.use_dyn_shared_memory"]})
        cx = T.launch_thread("clusterCtaIdx.x", 2)
        bx = T.launch_thread("blockIdx.x", 16)
        tx = T.launch_thread("threadIdx.x", 256)
        A[bx * 256 + tx] = A[bx * 256 + tx] + T.Cast("float32", cx)
        T.ptx_barrier_cluster_arrive()
        T.ptx_barrier_cluster_wait()
