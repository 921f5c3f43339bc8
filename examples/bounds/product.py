# A product of matrices of which the lower triangle alone is read.
from tvm import te

n = te.var("n")
A = te.placeholder((n, 8), name="A")
B = te.placeholder((8, n), name="B")
k = te.reduce_axis((0, 8), name="k")
P = te.compute((n, n), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="P")
R = te.compute((n, n), lambda i, j: te.if_then_else(j < i, P[i, j], P[j, i]), name="R")
