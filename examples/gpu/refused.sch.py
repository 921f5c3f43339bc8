row_sum = sch.get_block("row_sum")
i, j = sch.get_loops(row_sum)
sch.bind(i, "blockIdx.x")
sch.bind(j, "threadIdx.x")
