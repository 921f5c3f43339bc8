sch.compute_inline("scale")
b = sch.get_block("row_sum")
for l in sch.get_loops(b):
    pass
sch.decompose_reduction(b, sch.get_loops(b)[1])
sch.cache_write(b, "Y", "local")
