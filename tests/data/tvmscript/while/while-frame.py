# reads: yes; T.While as a frame, with a bound that is a parameter
# from tvm.script import tir as T

@T.prim_func
def countdown(n: T.int32, A: T.Buffer((1,), "int64")):
    A[0] = T.Cast("int64", n)
    with T.While(A[0] > T.int64(0)):
        A[0] = A[0] - T.int64(3)
    while 0 < n and A[0] < T.int64(0):
        A[0] = A[0] + T.int64(1)
