# reads: yes; a rule named by a string
# from tvm.script import tir as T

@T.prim_func
def bgemm(U: T.Buffer((4, 4, 8, 8), "float32"), V: T.Buffer((4, 4, 8, 8), "float32")):
    for eps, nu, p, c in T.grid(4, 4, 8, 8):
        with T.block("data_pack"):
            e, n, vp, vc = T.axis.remap("SSSS", [eps, nu, p, c])
            T.reads(U[e, n, vp, vc])
            T.writes(V[n, e, vp, vc])
            T.block_attr({"schedule_rule": "meta_schedule.winograd_data_pack.cuda", "auto_unroll_explicit": 16})
            V[n, e, vp, vc] = U[e, n, vp, vc]
