# As examples/scale.sch.py, with no word on the padding: it may not be touched then.
scale = sch.get_block("scale")
sch.transform_layout(scale, "A", lambda i: [i // 8, i % 8])
sch.transform_layout(scale, "B", lambda i: [i // 8, i % 8])
sch.sequential_buffer_access(scale, "B")
sch.remove_branching_through_overcompute(block=scale)
