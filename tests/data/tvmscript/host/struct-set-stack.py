# reads: opaque; a stack of arguments filled by tvm_struct_set
import tvm
from tvm.script import tir as T


@T.prim_func
def main(A: T.handle("float32"), n: T.int32) -> T.int32:
    stack_value: T.let[T.handle] = T.tvm_stack_alloca("arg_value", 3)
    stack_tcode_1: T.let[T.handle("int32")] = T.tvm_stack_alloca("arg_tcode", 3)
    stack_tcode = T.decl_buffer((3,), "int32", data=stack_tcode_1)
    T.tvm_struct_set(stack_value, 0, 12, A)
    stack_tcode[0] = 3
    T.tvm_struct_set(stack_value, 1, 12, T.Cast("int64", n))
    stack_tcode[1] = 0
    T.call_packed_lowered("main_kernel", stack_value, stack_tcode_1, 0, 2)
    return 0
