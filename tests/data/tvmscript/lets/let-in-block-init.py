# reads: yes; a let before the store of a block and in its init
# from tvm.script import tir as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer((9, 31), "float32"), S: T.Buffer((9,), "float32")):
    for i, k in T.grid(9, 31):
        with T.sblock("S"):
            vi, vk = T.axis.remap("SR", [i, k])
            T.reads(A[vi, vk])
            T.writes(S[vi])
            with T.init():
                z: T.let[T.float32] = T.Cast("float32", vi)
                S[vi] = z
            a: T.let[T.float32] = A[vi, vk]
            S[vi] = S[vi] + a * a
