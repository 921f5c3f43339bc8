# reads: opaque; a return in each branch
# from tvm.script import tir as T

@T.prim_func(private=True)
def sign(x: T.float32) -> T.int32:
    if x < T.float32(0):
        return -1
    else:
        if x == T.float32(0):
            return 0
        else:
            return 1
