# reads: yes; T.allocate as a with statement, two of them
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((8, 8), "float32")):
    with T.allocate([8], "float32", "global") as row_data:
        row = T.decl_buffer([8], "float32", data=row_data, scope="global")
        with T.allocate([8], "int32", "global") as idx_data:
            idx = T.decl_buffer([8], "int32", data=idx_data)
            for i in range(8):
                for j in range(8):
                    row[j] = A[i, j]
                    idx[j] = 7 - j
                for j in range(8):
                    A[i, j] = row[idx[j]]
