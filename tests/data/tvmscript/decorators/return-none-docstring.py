# reads: yes; a result of None and a documentation string
# from tvm.script import tir as T

@T.prim_func(private=True)
def add(a: T.handle, b: T.handle, c: T.handle) -> None:
    """Adds two vectors.

    The sizes are fixed.
    """
    A = T.match_buffer(a, [10], "float32")
    B = T.match_buffer(b, [10], "float32")
    C = T.match_buffer(c, [10], "float32")
    for i in range(10):
        C[i] = A[i] + B[i]
