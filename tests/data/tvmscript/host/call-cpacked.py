# reads: opaque; calls of the C packed convention
from tvm.script import tir as T


@T.prim_func
def tvmgen_default_run_model(input: T.handle, output: T.handle) -> None:
    T.func_attr({"global_symbol": "tvmgen_default_run_model", "runner_function": True, "target": T.target({"kind": "c", "tag": "", "keys": ["cpu"]})})
    sid_0 = T.allocate([3136], "int8", "global.workspace")
    sid_1 = T.allocate([1024], "int8", "global.workspace")
    T.evaluate(T.tvm_call_cpacked("tvmgen_default_fused_conv2d", input, T.lookup_param("p0", dtype="handle"), sid_0, T.reinterpret(T.uint64(0), dtype="handle"), dtype="int32"))
    T.evaluate(T.tvm_call_cpacked("tvmgen_default_fused_pool", sid_0, sid_1, T.reinterpret(T.uint64(0), dtype="handle"), dtype="int32"))
    T.evaluate(T.tvm_check_return(0, -1, T.call_extern("tvmgen_default_fused_dense", sid_1, output, dtype="int32"), dtype="int32"))
