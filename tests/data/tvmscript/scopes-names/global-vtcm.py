# reads: opaque; the vector memory of Hexagon
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((1024,), "uint8"), B: T.Buffer((1024,), "uint8")):
    A_v = T.alloc_buffer((1024,), "uint8", scope="global.vtcm")
    for i in range(1024):
        with T.block("A_v"):
            vi = T.axis.spatial(1024, i)
            A_v[vi] = A[vi]
    for i in range(1024):
        with T.block("B"):
            vi = T.axis.spatial(1024, i)
            B[vi] = T.max(A_v[vi], T.uint8(16))
