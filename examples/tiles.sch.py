def tile(s, block, size=8):
    *outer, inner = s.get_loops(block)
    part, lanes = s.split(inner, factors=[None, size], names=["part", "lanes"])
    return outer, part, lanes

outer, part, lanes = tile(sch, "row_sum", size=9)
print("in groups of", sch.get(lanes).extent)
for loop in outer:
    sch.parallel(loop)
