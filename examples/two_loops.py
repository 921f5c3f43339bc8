# Two loops next to each other: the second one reads what the first one wrote an iteration earlier.
@T.prim_func
def two_loops(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        A[i] = i
    for j in range(16):
        if j > 0:
            B[j] = A[j - 1]
