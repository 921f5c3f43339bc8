# As examples/row_sum.sch.py, with a padding of 1: the extra iterations would add it.
row_sum = sch.get_block("row_sum")
sch.transform_layout(row_sum, "A", lambda i, j: [i, j // 4, j % 4], pad_value=1.0)
sch.sequential_buffer_access(row_sum, "A")
sch.remove_branching_through_overcompute(block=row_sum)
