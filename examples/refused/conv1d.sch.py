# As examples/conv1d.sch.py, with no padding value for the output: nothing overwrites what the extra work leaves there.
conv = sch.get_block("conv")
sch.transform_layout(conv, "X", lambda i: [i // 12, i % 12], pad_value=T.undef("float32"))
sch.transform_layout(conv, "Y", lambda i: [i // 8, i % 8])
sch.sequential_buffer_access(conv, "Y")
sch.remove_branching_through_overcompute(block=conv)
