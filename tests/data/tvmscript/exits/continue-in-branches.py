# reads: yes; continue in one branch of several, with lines after all of them
# from tvm.script import tir as T

@T.prim_func
def histogram(A: T.Buffer((128,), "int32"), H: T.Buffer((8,), "int32")):
    for i in range(128):
        if A[i] < 0:
            continue
        elif A[i] >= 8:
            if A[i] == 99:
                continue
            H[7] = H[7] + 1
        else:
            H[A[i]] = H[A[i]] + 1
        H[0] = H[0] + 1
