# reads: yes; an argmax with two outputs
# from tvm.script import tir as T

@T.prim_func
def argmax(x: T.Buffer((8, 40), "float32"), idx: T.Buffer((8,), "int32"), val: T.Buffer((8,), "float32")):
    for i in range(8):
        val[i] = T.min_value("float32")
        idx[i] = -1
        for k in range(40):
            if x[i, k] > val[i]:
                val[i] = x[i, k]
                idx[i] = k
