# reads: yes; a while loop inside a while loop
# from tvm.script import tir as T

@T.prim_func
def insertion_sort(A: T.Buffer((32,), "int32")):
    p = T.alloc_buffer((2,), "int32", scope="local")
    p[0] = 1
    while p[0] < 32:
        p[1] = p[0]
        while 0 < p[1] and A[p[1]] < A[T.max(p[1] - 1, 0)]:
            t: T.let[T.int32] = A[p[1]]
            A[p[1]] = A[p[1] - 1]
            A[p[1] - 1] = t
            p[1] = p[1] - 1
        p[0] = p[0] + 1
