# reads: yes; batched products of transformed tiles
from tvm.script import tir as T


@T.prim_func
def bgemm(U: T.Buffer((6, 6, 16, 32), "float32"), V: T.Buffer((6, 6, 9, 32), "float32"), M: T.Buffer((6, 6, 9, 16), "float32")):
    for eps, nu, p, co, ci in T.grid(6, 6, 9, 16, 32):
        with T.block("bgemm"):
            v_eps, v_nu, v_p, v_co, v_ci = T.axis.remap("SSSSR", [eps, nu, p, co, ci])
            with T.init():
                M[v_eps, v_nu, v_p, v_co] = T.float32(0)
            M[v_eps, v_nu, v_p, v_co] = M[v_eps, v_nu, v_p, v_co] + V[v_eps, v_nu, v_p, v_ci] * U[v_eps, v_nu, v_co, v_ci]
