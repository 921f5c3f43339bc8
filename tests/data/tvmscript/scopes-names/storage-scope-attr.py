# reads: yes; a scope given by an attribute statement
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    t_1 = T.allocate([16], "float32", "local")
    T.attr(t_1, "storage_alignment", 128)
    T.attr(t_1, "double_buffer_scope", 1)
    t = T.decl_buffer((16,), data=t_1, scope="local")
    for i in range(16):
        t[i] = A[i] + T.float32(1)
        B[i] = t[i]
