conv = sch.get_block("conv")
# The filter reaches past the samples where the output is padding: up to index 31 + 4.
sch.transform_layout(conv, "X", lambda i: [i // 12, i % 12], pad_value=T.undef("float32"))
sch.transform_layout(conv, "Y", lambda i: [i // 8, i % 8], pad_value=0.0)
sch.sequential_buffer_access(conv, "Y")
sch.remove_branching_through_overcompute(block=conv)
sch.simplify()
