# reads: yes; a let in the value of a let, and in its body
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((6,), "float32")):
    a = T.float32()
    b = T.float32()
    c = T.float32()
    for i in range(6):
        A[i] = T.Let(T.Let(a * c, where={c: a + T.float32(2)}), where={a: T.Let(b + T.float32(1), where={b: A[i]})})
