# Sums of rows of 27, strict float32, to be read in groups of 4 with the last group padded by zero. Adding the zero is
# harmless only because the accumulator is never -0.0.
@T.prim_func
def row_sum(A: T.Buffer((5, 27), "float32"), S: T.Buffer((5,), "float32")):
    for i, j in T.grid(5, 27):
        with T.block("row_sum"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                S[vi] = T.float32(0.0)
            S[vi] = S[vi] + A[vi, vj]
