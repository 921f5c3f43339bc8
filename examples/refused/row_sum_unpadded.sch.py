# As examples/row_sum.sch.py, without a padding value: the extra iterations would read what they may not touch.
row_sum = sch.get_block("row_sum")
sch.transform_layout(row_sum, "A", lambda i, j: [i, j // 4, j % 4])
sch.sequential_buffer_access(row_sum, "A")
sch.remove_branching_through_overcompute(block=row_sum)
