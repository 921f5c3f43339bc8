# reads: opaque; the six parameters of the older convention
# from tvm.script import tir as T

@T.prim_func
def main(args: T.handle, arg_type_ids: T.handle("int32"), num_args: T.int32, out_ret_value: T.handle("void"), out_ret_tcode: T.handle("int32"), resource_handle: T.handle) -> T.int32:
    T.func_attr({"calling_conv": 1, "target": T.target({"keys": ["cpu"], "kind": "llvm", "tag": ""})})
    assert num_args == 1, "main: num_args should be 1"
    assert not T.isnullptr(args), "main: TVMValue* arg pointer was NULL"
    arg_type_ids_1 = T.decl_buffer((1,), "int32", data=arg_type_ids)
    A_handle: T.handle = T.tvm_struct_get(args, 0, 12, "handle")
    A_code: T.int32 = arg_type_ids_1[0]
    assert A_code == 3 or A_code == 13 or A_code == 7 or A_code == 4, "main: Expect arg[0] to be pointer"
    assert 1 == T.tvm_struct_get(A_handle, 0, 4, "int32"), "main.A_handle.ndim is expected to equal 1"
    assert T.tvm_struct_get(A_handle, 0, 5, "uint8") == T.uint8(2) and T.tvm_struct_get(A_handle, 0, 6, "uint8") == T.uint8(32) and T.tvm_struct_get(A_handle, 0, 7, "uint16") == T.uint16(1), "main.A_handle.dtype is expected to be float32"
    main_A_shape: T.handle("int64") = T.tvm_struct_get(A_handle, 0, 2, "handle")
    main_A_shape_1 = T.decl_buffer((1,), "int64", data=main_A_shape)
    assert T.Cast("int32", main_A_shape_1[0]) == 8, "Argument main.A_handle.shape[0] has an unsatisfied constraint"
    A: T.handle("float32", "global") = T.tvm_struct_get(A_handle, 0, 1, "handle")
    A_1 = T.decl_buffer((8,), data=A)
    for i in range(8):
        A_1[i] = T.float32(0)
    T.ret(0)
