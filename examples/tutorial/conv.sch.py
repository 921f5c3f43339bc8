conv = sch.get_block("conv")
# One row of 40 cells: the 30 samples start at cell 1, and the other cells hold zero.
sch.transform_layout(conv, "X", lambda i: [(i + 1) // 40, (i + 1) % 40], pad_value=0.0)
# Four rows of 8 results. What the last two cells hold does not matter.
sch.transform_layout(conv, "Y", lambda i: [i // 8, i % 8], pad_value=T.undef("float32"))
sch.sequential_buffer_access(conv, "Y")
sch.remove_branching_through_overcompute(block=conv)
sch.simplify()
