# reads: yes; comments and documentation strings between functions
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module(s_tir=True)
class Kernels:
    """Kernels of the demo."""

    # The first one.
    @T.prim_func(private=True, s_tir=True)
    def iota(A: T.Buffer((100,), "int64")):
        """Fills A with 0, 1, 2, ..."""
        for i in range(100):  # serial
            A[i] = T.int64(i)

    # The second one.
    @T.prim_func(private=True, s_tir=True)
    def reverse(A: T.Buffer((100,), "int64"), B: T.Buffer((100,), "int64")):
        for i in range(100):
            B[i] = A[99 - i]
