sch.outline("total", "add_up", assume=lambda p, q: 4 * p + q < 14 or B[p, q] == 0)
sch.work_on("add_up")
sch.remove_branching_through_overcompute("total")
sch.simplify()
