# reads: yes; a batch dimension of one dropped by the view
# from tvm.script import tir as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer((4, 8, 8), "float32"), B: T.Buffer((4, 8, 8), "float32")):
    for b in range(4):
        with T.sblock("batch"):
            vb = T.axis.spatial(4, b)
            T.reads(A[vb, 0:8, 0:8])
            T.writes(B[vb, 0:8, 0:8])
            Ab = T.match_buffer(A[vb, 0:8, 0:8], (8, 8), "float32", elem_offset=0)
            Bb = T.match_buffer(B[vb, 0:8, 0:8], (8, 8), "float32", elem_offset=0)
            for i, j in T.grid(8, 8):
                with T.sblock("inner"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    Bb[vi, vj] = Ab[vj, vi]
