# reads: opaque; bfloat16 from bits in older spelling
# from tvm.script import tir as T

@T.prim_func
def decode(A: T.Buffer((64,), "uint16"), B: T.Buffer((64,), "float32")) -> None:
    for i in T.serial(64):
        with T.block("decode"):
            vi = T.axis.spatial(64, i)
            T.reads(A[vi])
            T.writes(B[vi])
            B[vi] = T.reinterpret(T.shift_left(T.Cast("uint32", A[vi]), T.uint32(16)), dtype="float32")
