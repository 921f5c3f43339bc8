# reads: yes; a quantized product with an int32 accumulator
# from tvm.script import tir as T

@T.prim_func
def dense_int8(data: T.Buffer((32, 64), "uint8"), weight: T.Buffer((48, 64), "int8"), out: T.Buffer((32, 48), "int32")):
    for i, j, k in T.grid(32, 48, 64):
        with T.sblock("dense"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            T.reads(data[vi, vk], weight[vj, vk])
            T.writes(out[vi, vj])
            with T.init():
                out[vi, vj] = 0
            out[vi, vj] = out[vi, vj] + T.Cast("int32", data[vi, vk]) * T.Cast("int32", weight[vj, vk])
