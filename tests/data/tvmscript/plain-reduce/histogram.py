# reads: yes; counts by values of the input
# from tvm.script import tir as T

@T.prim_func
def histogram(x: T.Buffer((500,), "uint8"), h: T.Buffer((256,), "int32")):
    for b in range(256):
        h[b] = 0
    for i in range(500):
        h[T.Cast("int32", x[i])] = h[T.Cast("int32", x[i])] + 1
    for b in range(255):
        h[b + 1] = h[b + 1] + h[b]
