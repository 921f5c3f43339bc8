"""Tiles of the loops around a block."""


def tile(s, block, size=8):
    """The two innermost loops in tiles of size x size. Gives the loops over tiles and in a tile."""
    *outer, i, j = s.get_loops(block)
    io, ii = s.split(i, factors=[None, size])
    jo, ji = s.split(j, factors=[None, size])
    s.reorder(io, jo, ii, ji)
    return io, jo, ii, ji


def tile_and_cache(s, block, buffer, size=8, scope="local"):
    """Tiles, with the part of `buffer` that one tile reads copied for it. Gives the copy's block."""
    io, jo, ii, ji = tile(s, block, size=size)
    return s.read_at(jo, block, buffer, scope)
