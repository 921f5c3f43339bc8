# Tiles of 7 pixels x 32 channels of the result, their sums in registers. Weights are packed by the
# caller, once for all images; channels beyond the last one are padding.
conv = sch.get_block("conv")
sch.transform_layout(conv, "W", lambda r, s, i, o: [o // 32, r, s, i, o % 32], pad_value=T.undef("float32"))
sch.transform_layout(conv, "Y", lambda h, w, o: [h, w, o // 32, o % 32], pad_value=T.undef("float32"))
h, w, o, r, s, i = sch.get_loops(conv)
pixels, pixel = sch.split(w, factors=[None, 7])
groups, channel = sch.split(o, factors=[None, 32])
sch.reorder(groups, h, pixels, r, s, i, pixel, channel)
sch.remove_branching_through_overcompute()
sch.decompose_reduction(conv, r)
for block in ["conv_init", "conv_update"]:
    *outer, pixel, channel = sch.get_loops(block)
    sch.vectorize(channel)
    sch.unroll(pixel)
sch.simplify()
