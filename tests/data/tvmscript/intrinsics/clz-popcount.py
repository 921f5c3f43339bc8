# reads: yes; leading zeros and counts of bits
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((40,), "int32"), L: T.Buffer((40,), "int32"), P: T.Buffer((40,), "int32")):
    for i in range(40):
        with T.block("bits"):
            vi = T.axis.spatial(40, i)
            L[vi] = 31 - T.clz(A[vi])
            P[vi] = T.popcount(A[vi])
