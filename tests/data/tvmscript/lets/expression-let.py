# reads: yes; T.Let inside an expression, with where=
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((25,), "int32"), B: T.Buffer((25,), "int32")):
    x = T.int32()
    y = T.int32()
    for i in range(25):
        with T.block("B"):
            vi = T.axis.spatial(25, i)
            B[vi] = T.Let(x * x + 1, where={x: A[vi] % 16}) + T.Let(y + y, where={y: vi})
