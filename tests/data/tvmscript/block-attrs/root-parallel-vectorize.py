# reads: yes; annotations of the root block
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((512,), "float32"), B: T.Buffer((512,), "float32")):
        T.func_attr({"global_symbol": "main", "tir.noalias": True})
        with T.block("root"):
            T.reads()
            T.writes()
            T.block_attr({"meta_schedule.parallel": 288, "meta_schedule.unroll_explicit": 64, "meta_schedule.vectorize": 64})
            for i in range(512):
                with T.block("B"):
                    vi = T.axis.spatial(512, i)
                    T.reads(A[vi])
                    T.writes(B[vi])
                    B[vi] = A[vi] * A[vi]
