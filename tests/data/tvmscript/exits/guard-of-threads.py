# reads: yes; threads past the end do nothing
# from tvm.script import tir as T

@T.prim_func
def scale(A: T.Buffer((100,), "float32"), B: T.Buffer((100,), "float32")):
    for bx in T.thread_binding(4, thread="blockIdx.x"):
        for tx in T.thread_binding(32, thread="threadIdx.x"):
            if bx * 32 + tx >= 100:
                continue
            B[bx * 32 + tx] = A[bx * 32 + tx] * T.float32(2)
