# reads: yes; a window whose stride is declared by a string
# from tvm.script import tirx as T

@T.prim_func(s_tir=True)
def row_max(A: T.Buffer((6, 20), "float32"), M: T.Buffer((6,), "float32")):
    for i in range(6):
        with T.sblock("row"):
            vi = T.axis.spatial(6, i)
            T.reads(A[vi, 0:20])
            T.writes(M[vi])
            row = T.match_buffer(A[vi, 0:20], (20,), strides=("s0",), offset_factor=1)
            M[vi] = row[0]
            for j in range(19):
                M[vi] = T.max(M[vi], row[j + 1])
