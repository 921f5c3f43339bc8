# reads: yes; reductions of bools
from tvm.script import tir as T


@T.prim_func
def all_any(m: T.Buffer((6, 7), "bool"), al: T.Buffer((6,), "bool"), an: T.Buffer((6,), "bool")):
    for i, k in T.grid(6, 7):
        with T.block("red"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                al[vi] = T.bool(True)
                an[vi] = T.bool(False)
            al[vi] = al[vi] and m[vi, vk]
            an[vi] = an[vi] or m[vi, vk]
