g = sch.get_block("guarded")
if len(sch.get_loops(g)) == 2:
    sch.loop_partition()
sch.remove_branching_through_overcompute(block=g)
rf = sch.rfactor(sch.get_loops("row_sum")[1], 0)
sch.parallel(sch.get_loops("scale")[0])
