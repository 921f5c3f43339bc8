# reads: opaque; a return inside a loop and an error code at the end
# from tvm.script import tir as T

@T.prim_func
def validate(A: T.Buffer((64,), "int32")) -> T.int32:
    for i in range(64):
        if A[i] < 0 or 1000 < A[i]:
            return i
    T.call_extern("int32", "report_ok", 64)
    return -1
