# reads: opaque; pointers whose type names a scope
from tvm.script import tir as T


@T.prim_func
def f(a: T.handle("float32", "global.texture"), b: T.handle("float32", "shared.dyn"), C: T.Buffer((16,), "float32")):
    s = T.decl_buffer((16,), "float32", data=b, scope="shared.dyn")
    for i in range(16):
        s[i] = C[i]
    for i in range(16):
        C[i] = s[15 - i]
    T.evaluate(T.call_extern("void", "release_texture", a))
