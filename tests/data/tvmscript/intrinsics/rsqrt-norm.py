# reads: yes; T.rsqrt, as norms of layers print it
# from tvm.script import tirx as T

@T.prim_func
def rms_norm(X: T.Buffer((4, 32), "float32"), W: T.Buffer((32,), "float32"), Y: T.Buffer((4, 32), "float32")):
    for i in range(4):
        squares: T.float32 = T.float32(0.0)
        for k in range(32):
            squares = squares + X[i, k] * X[i, k]
        for k in range(32):
            Y[i, k] = X[i, k] * T.rsqrt(squares * T.float32(0.03125) + T.float32(9.9999999747524271e-07)) * W[k]
