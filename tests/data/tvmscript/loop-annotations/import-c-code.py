# reads: yes; a pragma with text in it
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in T.serial(8, annotations={"pragma_import_c": "extern \"C\" int helper(int x) {\n  return x + 1;\n}\n"}):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi]
    for i in T.serial(8, annotations={"pragma_import_llvm": "define i32 @helper(i32 %x) {\n  ret i32 %x\n}"}):
        B[i] = B[i] + T.float32(1)
