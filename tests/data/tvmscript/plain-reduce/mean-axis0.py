# reads: yes; a mean over rows, divided in a second block
# from tvm.script import tir as T

@T.prim_func
def mean(A: T.Buffer((25, 12), "float32"), M: T.Buffer((12,), "float32")):
    red = T.alloc_buffer((12,))
    for j, k in T.grid(12, 25):
        with T.sblock("A_red"):
            vj, vk = T.axis.remap("SR", [j, k])
            with T.init():
                red[vj] = T.float32(0)
            red[vj] += A[vk, vj]
    for j in range(12):
        with T.sblock("T_divide"):
            vj = T.axis.spatial(12, j)
            M[vj] = red[vj] / T.float32(25)
