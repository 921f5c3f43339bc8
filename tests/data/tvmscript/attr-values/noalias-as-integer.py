# reads: yes; True, 1 and T.bool(1) for the same flag, in three functions
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((3,), "float32")):
    T.func_attr({"tir.noalias": 1, "op_pattern": T.int32(0)})
    A[0] = T.float32(0)


@T.prim_func
def g(A: T.Buffer((3,), "float32")):
    T.func_attr({"tir.noalias": T.bool(1), "op_pattern": T.int64(8)})
    A[1] = T.float32(0)


@T.prim_func
def h(A: T.Buffer((3,), "float32")):
    T.func_attr({"tir.noalias": True, "num_inputs": 1})
    A[2] = T.float32(0)
