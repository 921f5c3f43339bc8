# NCHWc: groups of 32 channels of the result and 16 of the image are innermost in memory; else as for
# NHWC. The sums keep the order i, r, s.
conv = sch.get_block("conv")
sch.transform_layout(conv, "X", lambda i, h, w: [i // 16, h, w, i % 16], pad_value=T.undef("float32"))
sch.transform_layout(conv, "W", lambda o, i, r, s: [o // 32, i, r, s, o % 32], pad_value=T.undef("float32"))
sch.transform_layout(conv, "Y", lambda o, h, w: [o // 32, h, w, o % 32], pad_value=T.undef("float32"))
o, h, w, i, r, s = sch.get_loops(conv)
pixels, pixel = sch.split(w, factors=[None, 7])
groups, channel = sch.split(o, factors=[None, 32])
sch.reorder(groups, h, pixels, i, r, s, pixel, channel)
sch.remove_branching_through_overcompute()
sch.decompose_reduction(conv, i)
for block in ["conv_init", "conv_update"]:
    *outer, pixel, channel = sch.get_loops(block)
    sch.vectorize(channel)
    sch.unroll(pixel)
sch.simplify()
