# Sums in LANES parts, which the licence reassociate allows; one row at a time, while it is near.
for block in ["sums", "squares"]:
    i, j = sch.get_loops(block)
    step, lane = sch.split(j, factors=[None, LANES])
    sch.rfactor(lane, 1)
rows, j = sch.get_loops("norm")
sch.vectorize(j)
for block in ["squares", "squares_rf", "sums", "sums_rf"]:
    sch.compute_at(block, rows)
for block in ["sums_rf", "squares_rf"]:
    *outer, lane, step = sch.get_loops(block)
    sch.reorder(step, lane)
    sch.decompose_reduction(block, step)
    sch.vectorize(sch.get_loops(block + "_update")[-1])
sch.simplify()
