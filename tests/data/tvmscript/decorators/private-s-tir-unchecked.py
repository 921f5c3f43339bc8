# reads: yes; three keywords of prim_func at once
# from tvm.script import tir as T

@T.prim_func(private=True, s_tir=True, check_well_formed=False)
def square(x: T.Buffer((77,), "float32"), y: T.Buffer((77,), "float32")):
    T.func_attr({"tir.noalias": True})
    for i in range(77):
        with T.sblock("y"):
            vi = T.axis.spatial(77, i)
            y[vi] = x[vi] * x[vi]
