"""Convolutions in layouts of lanes."""


def nchwc(s, block, height, width, x="X", w="W", y="Y", lanes=8, pad=1):
    """A convolution whose input is padded by `pad` on every side, with channels in groups of `lanes`.

    The block reads x[n, c, h, w] of height x width, or zero beyond it, and w[o, c, r, q]; it writes
    y[n, o, h, w]. The caller provides the zeros around the input, and no branch is left; where one
    is, the composite says so.
    """
    rows = height + 2 * pad
    columns = width + 2 * pad
    padded = lambda n, c, h, w: [
        n, c // lanes, (h + pad) % rows, (w + pad) % columns, c % lanes
    ]
    filters = lambda o, c, r, q: [o // lanes, c // lanes, r, q, c % lanes, o % lanes]
    s.transform_layout(block, x, padded, pad_value=0.0)
    s.transform_layout(block, w, filters)
    s.transform_layout(block, y, lambda n, o, h, w: [n, o // lanes, h, w, o % lanes])
    s.remove_branching_through_overcompute(block)
    s.sequential_buffer_access(block, y)
    s.simplify(block)
    left = s.get(block).branches
    if left:
        print("convolution.nchwc: a branch stays,", left[0])
