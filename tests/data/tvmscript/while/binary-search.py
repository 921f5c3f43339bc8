# reads: yes; a lower bound by a while loop in a block
# from tvm.script import tir as T

@T.prim_func
def lower_bound(A: T.Buffer((100,), "float32"), v: T.Buffer((20,), "float32"), pos: T.Buffer((20,), "int32")):
    for i in T.serial(20):
        with T.block("search"):
            vi = T.axis.spatial(20, i)
            T.reads(A[0:100], v[vi])
            T.writes(pos[vi])
            lo = T.alloc_buffer((1,), "int32", scope="local")
            hi = T.alloc_buffer((1,), "int32", scope="local")
            lo[0] = 0
            hi[0] = 100
            while lo[0] < hi[0]:
                mid: T.int32 = lo[0] + (hi[0] - lo[0]) // 2
                if A[mid] < v[vi]:
                    lo[0] = mid + 1
                else:
                    hi[0] = mid
            pos[vi] = lo[0]
