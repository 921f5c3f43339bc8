# reads: yes; a string and a list as attributes of a module
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    I.module_attrs({"system_lib_prefix": "hello_", "sizes": [1, 2, 3]})

    @T.prim_func
    def fill(A: T.Buffer((7, 2), "int8")):
        for i, j in T.grid(7, 2):
            A[i, j] = T.int8(-1)
