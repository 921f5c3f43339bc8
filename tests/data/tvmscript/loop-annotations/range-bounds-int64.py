# reads: yes; a loop from a lower to an upper bound of int64
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((T.int64(30),), "float32")):
    for i in T.serial(T.int64(5), T.int64(25), annotations={"k": [[1, 2], [3, 4]]}):
        A[i] = A[i] + T.float32(1)
    for i in T.serial(start=T.int64(0), stop=T.int64(5), annotations={"x": "y"}):
        A[i] = T.float32(0)
    for i in T.serial(T.int64(25), T.int64(30)):
        A[i] = T.float32(0)
