# reads: yes; partial sums of warps in shared memory
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((128,), "float32"), S: T.Buffer((1,), "float32")):
    part = T.alloc_buffer((4,), "float32", scope="shared")
    for ty in T.thread_binding(4, thread="threadIdx.y"):
        with T.block("part"):
            vy = T.axis.spatial(4, ty)
            part[vy] = T.float32(0)
            for k in range(32):
                part[vy] = part[vy] + A[vy * 32 + k]
    with T.block("S"):
        T.reads(part[0:4])
        T.writes(S[0])
        S[0] = part[0] + part[1] + part[2] + part[3]
