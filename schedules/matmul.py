"""Matrix products: a block with loops i, j over the result and k over the sum, T.init inside."""


def register_tile(s, block, ti=4, tj=8):
    """Tiles of ti x tj sums, which stay in registers while k runs; the tiles run in parallel.

    Gives the loop over tiles and the block that stores a tile.
    """
    i, j, k = s.get_loops(block)
    io, ii = s.split(i, factors=[None, ti])
    jo, ji = s.split(j, factors=[None, tj])
    s.reorder(io, jo, k, ii, ji)
    tiles = s.fuse(io, jo)
    s.parallel(tiles)
    store = s.write_at(tiles, block, 0, "local")
    s.decompose_reduction(block, k)
    return tiles, store


def load_together(s, load, threads):
    """The two innermost loops of a block that loads, on `threads` x `threads` threads."""
    y, x = s.get_loops(load)[-2:]
    yo, yi = s.split(y, factors=[None, threads])
    xo, xi = s.split(x, factors=[None, threads])
    s.reorder(yo, xo, yi, xi)
    s.bind(yi, "threadIdx.y")
    s.bind(xi, "threadIdx.x")


def gpu_matmul(s, block, a="A", b="B", tile=8):
    """A GPU block for each tile x tile of the result, with a thread for each sum, in a register.

    The threads of a block load the rows of `a` and the columns of `b` that they need together, into
    shared memory. Gives the block that stores.
    """
    i, j, k = s.get_loops(block)
    bi, ti = s.split(i, factors=[None, tile])
    bj, tj = s.split(j, factors=[None, tile])
    s.reorder(bi, bj, ti, tj, k)
    loads = [s.read_at(bj, block, operand, "shared") for operand in [a, b]]
    store = s.write_at(tj, block, 0, "local")
    s.decompose_reduction(block, k)
    for load in loads:
        load_together(s, load, tile)
    s.bind(bi, "blockIdx.y")
    s.bind(bj, "blockIdx.x")
    s.bind(ti, "threadIdx.y")
    s.bind(tj, "threadIdx.x")
    return store
