# reads: opaque; the entry of a packed function, as it is lowered
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(self_handle: T.handle, args: T.handle, num_args: T.int32, result: T.handle("void")) -> T.int32:
        T.func_attr({"calling_conv": 1, "global_symbol": "__tvm_ffi_main", "target": T.target({"keys": ["cpu"], "kind": "llvm", "tag": ""})})
        assert num_args == 2, ("TypeError", ["Mismatched number of arguments, ", "expected 2 arguments"])
        assert not T.isnullptr(args), ("TypeError", ["args pointer is NULL"])
        A_type: T.let[T.int32] = T.tvm_struct_get(args, 0, 13, "int32")
        assert A_type == 70 or A_type == 7, ("TypeError", ["Mismatched type on argument #0"])
        A_handle: T.let[T.handle] = T.tvm_struct_get(args, 0, 14, "handle")
        B_handle: T.let[T.handle] = T.tvm_struct_get(args, 1, 14, "handle")
        A: T.let[T.handle("float32", "global")] = T.tvm_struct_get(A_handle, 0, 1, "handle")
        T.attr(A, "storage_alignment", 64)
        B: T.let[T.handle("float32", "global")] = T.tvm_struct_get(B_handle, 0, 1, "handle")
        dev_id: T.let[T.int32] = T.tvm_struct_get(A_handle, 0, 9, "int32")
        T.attr("default", "device_id", dev_id)
        T.attr("default", "device_type", 1)
        with T.attr(0, "compute_scope", "main_compute_"):
            A_1 = T.decl_buffer((32,), data=A)
            B_1 = T.decl_buffer((32,), data=B)
            for i in range(32):
                B_1[i] = A_1[i] + T.float32(1.0)
        return 0
