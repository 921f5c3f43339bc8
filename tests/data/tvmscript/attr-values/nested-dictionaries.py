# reads: yes; dictionaries of dictionaries, with negative numbers
import tvm
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((5,), "float32")):
    T.func_attr({"tuning": {"knobs": {"tile": {"x": 8, "y": -1}, "empty": {}}, "score": -0.125}, "tir.noalias": True})
    for i in range(5):
        A[i] = A[i] + T.float32(1)
    for i in T.serial(5, annotations={"plan": {"steps": [{"op": "add", "by": 1}, {"op": "mul", "by": 2}]}}):
        A[i] = A[i] * T.float32(2)
