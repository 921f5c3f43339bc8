# reads: yes; an allocation of each cthread
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((6,), "float32"), C: T.Buffer((6,), "float32")):
    for i in range(3):
        ct = T.launch_thread("cthread", 2)
        B_1 = T.allocate([1], "float32", "shared")
        B = T.decl_buffer((1,), data=B_1, scope="shared")
        B[0] = A[i * 2 + ct] * T.float32(3)
        C[i * 2 + ct] = B[0]
