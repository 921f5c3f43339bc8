# reads: yes; four handles matched in an order other than the parameters'
import tvm
from tvm.script import tir as T


@T.prim_func
def f(var_x: T.handle, var_w: T.handle, var_b: T.handle, var_y: T.handle):
    T.func_attr({"tir.noalias": T.bool(True)})
    n = T.int64(is_size_var=True)
    m = T.int64()
    y = T.match_buffer(var_y, (n, m))
    b = T.match_buffer(var_b, (m,))
    x = T.match_buffer(var_x, (n, T.int64(32)))
    w = T.match_buffer(var_w, (m, T.int64(32)))
    for i, j, k in T.grid(n, m, T.int64(32)):
        with T.block("y"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                y[vi, vj] = b[vj]
            y[vi, vj] = y[vi, vj] + x[vi, vk] * w[vj, vk]
