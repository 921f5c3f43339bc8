# reads: opaque; a handle to a tensormap and its stack allocation
from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((256, 64), "float16")):
    A_map: T.let[T.handle("tensormap")] = T.tvm_stack_alloca("tensormap", 1)
    T.call_packed("runtime.cuTensorMapEncodeTiled", A_map, "float16", 2, A.data, 64, 256, 128, 64, 64, 1, 1, 0, 3, 2, 0)
    T.call_packed("kernel", A_map, 256)
    B_map: T.handle("tensormap") = T.tvm_stack_alloca("tensormap", 1)
    T.evaluate(T.tvm_call_packed("runtime.cuTensorMapInit", A_map, B_map))
