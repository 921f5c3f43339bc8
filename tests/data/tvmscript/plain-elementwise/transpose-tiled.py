# reads: yes; a transposition through tiles of 16
# from tvm.script import tir as T

@T.prim_func
def transpose(A: T.Buffer((64, 48), "float32"), B: T.Buffer((48, 64), "float32")):
    for io, jo in T.grid(4, 3):
        for ii, ji in T.grid(16, 16):
            with T.block("B"):
                vi = T.axis.spatial(64, io * 16 + ii)
                vj = T.axis.spatial(48, jo * 16 + ji)
                T.reads(A[vi, vj])
                T.writes(B[vj, vi])
                B[vj, vi] = A[vi, vj]
