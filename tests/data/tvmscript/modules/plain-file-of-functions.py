# reads: yes; a file of functions without a module
# from tvm.script import tir as T

@T.prim_func
def zero(A: T.Buffer((11,), "float32")):
    for i in range(11):
        A[i] = T.float32(0)


@T.prim_func(s_tir=True)
def one(A: T.Buffer((11,), "float32")):
    for i in range(11):
        with T.sblock("one"):
            vi = T.axis.spatial(11, i)
            A[vi] = T.float32(1)
