# reads: yes; numbers that int32 does not hold
from tvm.script import tirx as T

@T.prim_func
def wide_numbers(A: T.Buffer((16,), "int64"), B: T.Buffer((16,), "int64")):
    seed = 6364136223846793005
    for i in range(16):
        B[i] = A[i] % 4294967296 + seed % 1000
    if A[0] < -3000000000:
        B[0] = -3000000000
