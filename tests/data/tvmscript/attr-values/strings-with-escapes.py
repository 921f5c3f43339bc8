# reads: yes; quotes, newlines and other scripts in strings
from tvm.script import tir as T


@T.prim_func
def f(A: T.Buffer((6,), "int32")):
    T.func_attr({"a": "say \"hi\"", "b": 'it\'s', "c": "line\nline\ttab", "d": "größe", "e": "", "f": r"C:\path", "g": "back\\slash"})
    for i in range(6):
        A[i] = i
    for i in T.serial(6, annotations={"key with spaces": "value # no comment", "x.y/z": "{}[]()"}):
        A[i] = A[i] + 1
