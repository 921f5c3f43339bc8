# reads: yes; step= of a loop, annotations with a nested dictionary
# from tvm.script import tir as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer((96,), "float32"), B: T.Buffer((96,), "float32")):
    for i in T.serial(0, 96, step=8, annotations={"hint": {"width": 8, "names": ["a", "b"]}, "n": 3}):
        for j in T.unroll(8):
            B[i + j] = T.sqrt(A[i + j])
    for i in T.vectorized(0, 96, step=3):
        B[i] = T.float32(0)
