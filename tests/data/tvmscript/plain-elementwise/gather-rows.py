# reads: yes; rows taken by indices from a buffer
# from tvm.script import tir as T

@T.prim_func
def take(table: T.Buffer((1000, 32), "float32"), ids: T.Buffer((20,), "int32"), out: T.Buffer((20, 32), "float32")):
    for i, j in T.grid(20, 32):
        with T.block("T_take"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.assume(0 <= ids[vi] and ids[vi] < 1000)
            out[vi, vj] = table[ids[vi], vj]
