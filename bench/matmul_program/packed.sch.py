# The same tiles, with the packing inside: a panel of B is copied in front of the tiles that read it,
# rows of A get padding where ROWS does not divide them, and a tile of sums goes to C without what it
# computes beyond the result. `./dev bench runtime --steps` measures the program after each step.
product = sch.get_block("product")
i, j, k = sch.get_loops(product)
out = sch.cache_write(product, "C", "global")
sch.transform_layout(
    product, "C_global", lambda i, j: [i // ROWS, j // COLUMNS, i % ROWS, j % COLUMNS], pad_value=T.undef("float32"))
sch.remove_no_op()
if sch.get(i).extent % ROWS != 0:
    padded = sch.cache_read(product, "A", "global")
    sch.transform_layout(padded, "A_global", lambda i, k: [i // ROWS, i % ROWS, k], pad_value=T.undef("float32"))


def tiles(block):
    i, j, *inner = sch.get_loops(block)
    rows, row = sch.split(i, factors=[None, ROWS])
    columns, column = sch.split(j, factors=[None, COLUMNS])
    sch.reorder(columns, rows, *inner, row, column)
    return columns, rows


columns, rows = tiles(product)
tile = sch.merge(rows, tiles(out)[1])
# Step: tiles of ROWS x COLUMNS
panel = sch.read_at(sch.get_loops(product)[0], product, "B", "global")
# Step: a panel of B in order
sch.remove_branching_through_overcompute(product, partial=True)
sums = sch.write_at(tile, product, "C_global", "local")
sch.compute_inline(sums)
sch.decompose_reduction(product, k)
for block in ["product_update", out, panel]:
    *outer, row, lanes = sch.get_loops(block)
    sch.vectorize(lanes)
for block in ["product_init", "product_update", out]:
    sch.unroll(sch.get_loops(block)[-2])
sch.simplify()
# Step: no guards in a tile, its sums in registers, vectors
