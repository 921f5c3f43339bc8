# reads: yes; ir_module and prim_func imported by name
from tvm.script import ir_module
from tvm.script import tir as T


@ir_module
class DenseAdd:
    @T.prim_func
    def main(x: T.Buffer[(4, 16), "float32"], w: T.Buffer[(8, 16), "float32"], y: T.Buffer[(4, 8), "float32"]) -> None:
        for i, j, k in T.grid(4, 8, 16):
            with T.block("y"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    y[vi, vj] = T.float32(1)
                y[vi, vj] = y[vi, vj] + x[vi, vk] * w[vj, vk]
