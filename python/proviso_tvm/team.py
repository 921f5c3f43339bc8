"""What is known of the threads of a block while their code is taken apart (phases.py)."""

from dataclasses import dataclass, field

from tvm import sym


@dataclass
class Team:
    """The threads of the block whose code is taken apart now."""

    extents: dict  # thread index -> extent, of all loops over it
    blocks: set  # indices of blocks whose loops are still to come
    begin: int = 0  # the line where a block begins
    depth: int = 0  # and its depth
    waiting: list = field(default_factory=list)  # allocations, until it has begun
    top: list = field(default_factory=list)  # allocations of later parts, at its beginning
    crossing: dict = field(default_factory=dict)  # buffer -> indices that its sums go over
    apart: dict = field(default_factory=dict)  # buffer -> indices that choose its cells
    values: object = field(default_factory=sym.Analyzer)  # of iterators of blocks
    axes: list = field(default_factory=list)  # (thread index, name, type, extent), bound here
    lets: list = field(default_factory=list)  # (name, type, text) that differ among threads
    varying: set = field(default_factory=set)  # variables that differ among threads
    index_of: dict = field(default_factory=dict)  # variable -> thread index
    run: list = field(default_factory=list)  # functions that write statements of one part
    stores: bool = False  # what the part does with memory whose barriers are still to come
    loads: bool = False
    inside: bool = False  # a part is being written
    lane: dict = field(default_factory=dict)  # within a part: thread index -> name
    reducer: object = None
