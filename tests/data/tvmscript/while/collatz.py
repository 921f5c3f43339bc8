# reads: opaque; a while loop over a cell
# from tvm.script import tir as T

@T.prim_func
def collatz(n: T.Buffer((1,), "int32"), steps: T.Buffer((1,), "int32")):
    steps[0] = 0
    while n[0] != 1:
        if n[0] % 2 == 0:
            n[0] = n[0] // 2
        else:
            n[0] = 3 * n[0] + 1
        steps[0] = steps[0] + 1
