# reads: opaque; registers of a virtual machine
from tvm.script import tir as T


@T.prim_func
def __vmtir__main(ctx_ptr: T.handle, r: T.handle, c: T.handle, f: T.handle):
    T.func_attr({"global_symbol": "__vmtir__main"})
    T.anylist_setitem_call_packed(r, T.int32(2), "test.vm.add", T.anylist_getitem(r, T.int32(0)), T.anylist_getitem(c, T.int32(0)))
    if T.cast(T.tvm_call_packed("vm.builtin.read_if_cond", T.anylist_getitem(r, T.int32(1))), "bool"):
        T.anylist_setitem_call_cpacked(r, T.int32(3), "test.vm.mul", T.anylist_getitem(r, T.int32(2)), T.anylist_getitem(r, T.int32(0)))
    else:
        T.anylist_resetitem(r, T.int32(3))
