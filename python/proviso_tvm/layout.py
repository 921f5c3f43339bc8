"""The relation of a parameter whose layout `transform_layout` has changed: `proviso.layout`."""

import re
import subprocess

from tvm import tirx

from .checker import find_binary
from .errors import NotExported
from .export import Exporter


def _shape(var):
    return [int(e) for e in var.ty.shape]


def _texts(exprs, names):
    """Index expressions over variables with these names, in canonical spelling."""
    writer = Exporter.__new__(Exporter)
    writer.names, writer.scalars, writer.cells = names, set(names.given), {}
    lines = [f"    O[{k}] = {writer.plain(e)}" for k, e in enumerate(exprs)]
    params = "".join(f", {name}: T.int32" for name in names.given.values())
    program = f'@T.prim_func\ndef f(O: T.Buffer(({len(lines)},), "int32"){params}):\n' + \
        "\n".join(lines) + "\n"
    done = subprocess.run([find_binary(), "fmt", "-"], input=program, capture_output=True,
                          text=True, check=False)
    found = re.findall(r"^    O\[\d+\] = (.*)$", done.stdout, re.MULTILINE)
    if done.returncode != 0 or len(found) != len(lines):
        raise ValueError("an index map that is not read")
    return found


class _Given:
    def __init__(self, variables, prefix):
        self.given = {v: f"{prefix}{k}" for k, v in enumerate(variables)}

    def of(self, var):
        return self.given[var]


def relation(before, after, block, buffer, index_map, pad_value=None, **_):
    """The attribute's value for the parameters that two functions have in other layouts, or None.

    Only maps without padding are stated: with padding TVM and Proviso do not mean the same.
    """
    if len(before.params) != len(after.params) or pad_value is not None:
        return None
    changed = _changed(before, after, buffer)
    if changed is None:
        return None
    name, was, now = changed
    try:
        made = index_map if isinstance(index_map, tirx.IndexMap) else \
            tirx.IndexMap.from_func(index_map, ndim=len(was), index_dtype="int32")
        back = made.inverse(was)
        logical = _Given(made.initial_indices, "x")
        physical = _Given(back.initial_indices, "p")
        if [int(e) for e in made.map_shape(was)] != now:
            return None
        return {name: [{
            "index_type": "int32",
            "inverse": _texts(back.final_indices, physical),
            "logical_shape": [str(e) for e in was],
            "map": _texts(made.final_indices, logical),
            "pad": "none", "padding_by": "function",
            "physical_vars": list(physical.given.values()),
            "vars": list(logical.given.values())}]}
    except (NotExported, TypeError, ValueError, RuntimeError):
        return None


def _changed(before, after, buffer):
    """The name and both shapes of the parameter that the primitive was asked to change."""
    rows = [(a, b) for a, b in zip(before.params, after.params)
            if type(a.ty).__name__ == "BufferType"]
    other = [(a, b) for a, b in rows if not a.same_as(b)]
    if len(other) == 1:
        a, b = other[0]
        return a.name, _shape(a), _shape(b)
    return None
