"""Sums along rows: a block with one loop over rows and one over what is summed."""


def row_reduction(s, block, threads=32):
    """A GPU block for each `threads` rows, and a thread for each row, which sums in a register."""
    i, k = s.get_loops(block)
    rows, row = s.split(i, factors=[None, threads])
    s.bind(rows, "blockIdx.x")
    s.bind(row, "threadIdx.x")
    return s.write_at(row, block, 0, "local")
