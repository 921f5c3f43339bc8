# Tiles of PIXELS pixels x LANES channels of the result, their sums in registers; two channels of the image
# are read in one go where they are even. Weights are packed by the caller, once for all images; channels beyond the last one are padding.
conv = sch.get_block("conv")
sch.transform_layout(conv, "W", lambda r, s, i, o: [o // LANES, r, s, i, o % LANES], pad_value=T.undef("float32"))
sch.transform_layout(conv, "Y", lambda h, w, o: [h, w, o // LANES, o % LANES], pad_value=T.undef("float32"))
h, w, o, r, s, i = sch.get_loops(conv)
pixels, pixel = sch.split(w, factors=[None, PIXELS])
groups, channel = sch.split(o, factors=[None, LANES])
steps = [i]
if sch.get(i).extent % 2 == 0:
    steps = sch.split(i, factors=[None, 2])
sch.reorder(h, pixels, groups, r, s, *steps, pixel, channel)
sch.remove_branching_through_overcompute()
sch.decompose_reduction(conv, r)
for block in ["conv_init", "conv_update"]:
    *outer, pixel, channel = sch.get_loops(block)
    sch.vectorize(channel)
    sch.unroll(pixel)
if len(steps) == 2:
    sch.unroll(steps[1])
sch.simplify()
