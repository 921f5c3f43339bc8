# reads: yes; tuples as values
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((7,), "float32"), B: T.Buffer((7,), "float32")):
    T.func_attr({"shape": (1, 2, 3), "single": (1,), "empty": ()})
    for i in T.serial(7, annotations={"pair": (0, "x")}):
        B[i] = A[i]
    for i in range(7):
        with T.block("neg"):
            vi = T.axis.spatial(7, i)
            T.block_attr({"window": ((1, 1), (2, 2))})
            B[vi] = T.float32(0) - B[vi]
