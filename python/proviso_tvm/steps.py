"""Calls of a schedule that can be made again, on another program or without those before them."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Block:
    """A block by its name."""

    name: str

    def __str__(self):
        return self.name


@dataclass(frozen=True)
class Loop:
    """The loop around a block, counted from the outermost one."""

    block: str
    number: int

    def __str__(self):
        return f"loop {self.number} of {self.block}"


@dataclass(frozen=True)
class Step:
    """One call of a primitive."""

    name: str
    args: tuple = ()
    keywords: tuple = field(default=())  # pairs

    def __str__(self):
        said = [told(a) for a in self.args] + [f"{k}={told(v)}" for k, v in self.keywords]
        return f"{self.name}({', '.join(said)})"


class CannotRepeat(Exception):
    """A call with an argument that has no meaning on another program."""


def told(value):
    if isinstance(value, tuple):
        return "[" + ", ".join(told(v) for v in value) + "]"
    return "…" if callable(value) else str(value)


def nests(stmt, loops=()):
    """(name of a block, the loops around it from the block around that), outermost first."""
    kind = type(stmt).__name__
    if kind == "SBlockRealize":
        yield stmt.block.name_hint, loops
        yield from nests(stmt.block.body)
    elif kind == "For":
        yield from nests(stmt.body, loops + (stmt,))
    elif kind == "SeqStmt":
        for one in stmt.seq:
            yield from nests(one, loops)
    elif kind == "IfThenElse":
        yield from nests(stmt.then_case, loops)
        if stmt.else_case is not None:
            yield from nests(stmt.else_case, loops)
    elif kind in ("AttrStmt", "While"):
        yield from nests(stmt.body, loops)


def _loop(sch, variable):
    object_ = sch.get(variable)
    for _, function in sch.mod.functions.items():
        for name, loops in nests(function.body):
            for number, one in enumerate(loops):
                if one.same_as(object_):
                    return Loop(str(name), number)
    raise CannotRepeat("a loop around no block")


def _kept(sch, value):
    """An argument that says what it means without the schedule it is of."""
    if isinstance(value, (list, tuple)) or type(value).__name__ == "Array":
        return tuple(_kept(sch, v) for v in value)
    kind = type(value).__name__
    if kind == "SBlockRV":
        return Block(str(sch.get(value).name_hint))
    if kind == "LoopRV":
        return _loop(sch, value)
    if value is None or isinstance(value, (bool, int, float, str)) or callable(value):
        return value
    if kind in ("IntImm", "IndexMap"):
        return int(value.value) if kind == "IntImm" else value
    raise CannotRepeat(f"an argument of type {kind}")


def step_of(sch, name, args, keywords):
    """The call as a step, told before it is made."""
    return Step(name, tuple(_kept(sch, a) for a in args),
                tuple((k, _kept(sch, v)) for k, v in keywords.items()))


def _given(sch, value):
    if isinstance(value, tuple):
        return [_given(sch, v) for v in value]
    if isinstance(value, Block):
        return sch.get_sblock(value.name)
    if isinstance(value, Loop):
        return sch.get_loops(sch.get_sblock(value.block))[value.number]
    return value


def repeat(sch, step):
    """Makes the call. Where the program has no such block or loop, an error as TVM's own."""
    args = [_pair(sch, step, k, a) for k, a in enumerate(step.args)]
    getattr(sch, step.name)(*args, **{k: _given(sch, v) for k, v in step.keywords})


def _pair(sch, step, k, value):
    # TVM wants ("read", 0) as a tuple, and lists elsewhere.
    if isinstance(value, tuple) and len(value) == 2 and value[0] in ("read", "write"):
        return value
    return _given(sch, value)
