# reads: yes; a binary search by scalars that change in a loop
# from tvm.script import tirx as T

@T.prim_func
def lower_bound(sorted_keys: T.Buffer((64,), "int32"), keys: T.Buffer((16,), "int32"), at: T.Buffer((16,), "int32")):
    for i in range(16):
        lo: T.int32 = 0
        hi: T.int32 = 64
        for step in range(7):
            if lo < hi:
                mid: T.int32 = (lo + hi) // 2
                if sorted_keys[T.min(mid, 63)] < keys[i]:
                    lo = mid + 1
                else:
                    hi = mid
        at[i] = lo
