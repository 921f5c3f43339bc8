# reads: yes; messages of assertions that are tuples
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((10,), "float32"), n: T.int32):
    assert n >= 0, ("ValueError", ["f: n is negative, ", "expected at least 0"])
    assert n <= 10, ("RuntimeError", "f: n is too large")
    assert n != 5, ("RuntimeError", [])
    for i in range(n):
        A[i] = T.float32(0)
