# Sums of rows whose accumulator starts from the first element instead of +0.0. If that is -0.0, and all others are, the
# sum is -0.0; adding the zero of the padding would make it +0.0.
@T.prim_func
def first_element(A: T.Buffer((5, 27), "float32"), S: T.Buffer((5,), "float32")):
    for i in range(5):
        with T.block("start"):
            vi = T.axis.spatial(5, i)
            S[vi] = A[vi, 0]
        for j in range(26):
            with T.block("row_sum"):
                vi2 = T.axis.spatial(5, i)
                vj = T.axis.reduce(26, j)
                S[vi2] = S[vi2] + A[vi2, vj + 1]
