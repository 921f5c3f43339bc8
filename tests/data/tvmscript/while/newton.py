# reads: yes; a while loop with two conditions, float cells
# from tvm.script import tir as T

@T.prim_func
def newton(a: T.Buffer((64,), "float32"), r: T.Buffer((64,), "float32")):
    it_1 = T.allocate([1], "int32", "local")
    it = T.decl_buffer((1,), "int32", data=it_1, scope="local")
    for i in range(64):
        r[i] = a[i]
        it[0] = 0
        while it[0] < 20 and T.abs(r[i] * r[i] - a[i]) > T.float32(1e-06):
            r[i] = (r[i] + a[i] / r[i]) * T.float32(0.5)
            it[0] = it[0] + 1
