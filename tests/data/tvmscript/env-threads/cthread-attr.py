# reads: yes; cthread as the extent of a virtual thread
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    ct = T.env_thread("cthread")
    with T.launch_thread(ct, 2):
        for i in range(4):
            B[ct * 4 + i] = A[ct * 4 + i]
    for i in range(8):
        B[i] = B[i] + T.float32(1)
