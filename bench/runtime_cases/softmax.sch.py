# One row at a time, while it is near.
rows, j = sch.get_loops("shares")
sch.compute_at("total", rows)
sch.compute_at("powers", rows)
sch.compute_at("most", rows)
sch.vectorize(sch.get_loops("shares")[-1])
sch.simplify()
