# Tiles of ROWS x COLUMNS sums. The operands are packed so that a tile reads both in order; what the
# last tiles compute beyond the result goes to padding, so nothing branches.
product = sch.get_block("product")
sch.transform_layout(product, "A", lambda i, k: [i // ROWS, k, i % ROWS], pad_value=T.undef("float32"))
sch.transform_layout(product, "B", lambda k, j: [j // COLUMNS, k, j % COLUMNS], pad_value=T.undef("float32"))
sch.transform_layout(
    product, "C", lambda i, j: [i // ROWS, j // COLUMNS, i % ROWS, j % COLUMNS], pad_value=T.undef("float32"))
i, j, k = sch.get_loops(product)
rows, row = sch.split(i, factors=[None, ROWS])
columns, column = sch.split(j, factors=[None, COLUMNS])
sch.reorder(columns, rows, k, row, column)
sch.remove_branching_through_overcompute()
sch.decompose_reduction(product, k)
sch.vectorize(sch.get_loops("product_update")[-1])
