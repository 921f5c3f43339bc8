# reads: yes; scalars that loops change, with and without a first value
# from tvm.script import tirx as T

@T.prim_func
def row_stats(A: T.Buffer((16, 8), "float32"), mean: T.Buffer((16,), "float32"), top: T.Buffer((16,), "int32")):
    for i in range(16):
        acc: T.float32 = T.float32(0.0)
        best: T.int32
        best = 0
        for k in range(8):
            acc = acc + A[i, k]
            if A[i, best] < A[i, k]:
                best = k
        mean[i] = acc * T.float32(0.125)
        top[i] = best
