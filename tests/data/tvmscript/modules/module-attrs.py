# reads: yes; attributes of a module
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module(s_tir=True)
class Module:
    I.module_attrs({"runtime": None, "device_id": 3})

    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((10,), "float32"), B: T.Buffer((10,), "float32")):
        for i in range(10):
            with T.sblock("sqrt"):
                vi = T.axis.spatial(10, i)
                B[vi] = T.sqrt(A[vi])
