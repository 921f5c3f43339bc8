"""TVM's functions (objects, not printed text) as text that Proviso reads."""

import json
from dataclasses import dataclass, field

from .errors import NotExported
from .expressions import Expressions, dtype_of
from .names import Names
from .packed import Packed, is_packed
from .statements import Statements


@dataclass
class Exported:
    """A function's text, and what has to be believed with it."""

    text: str
    params: list = field(default_factory=list)  # names, in order
    relations: list = field(default_factory=list)  # "packed arguments (21 checks skipped)"


def free_vars_of(extents, known, found):
    """Variables of expressions that are not `known`, in order."""
    for e in extents:
        if type(e).__name__ == "Var":
            if e not in known and e not in found:
                found.append(e)
            continue
        for name in ("a", "b", "value", "args"):
            child = getattr(e, name, None)
            if child is None or isinstance(child, (int, float, str)):
                continue
            free_vars_of(child if name == "args" else [child], known, found)


class Exporter(Expressions, Statements):
    """One function. `text` raises NotExported, with the name of the construct."""

    def __init__(self, func, name="main", layouts=None):
        self.func = func
        self.layouts = layouts or {}
        self.name = name
        self.names = Names()
        self.scalars = set()
        self.threads = set()
        self.declared = set()
        self.pointers = {}
        self.relations = set()
        self.lines = []
        self.packed = Packed(func) if is_packed(func) else None

    # Buffers are variables whose type says what they are.
    def buffer_type(self, buffer):
        return buffer.ty

    def declare(self, buffer):
        self.declared.add(buffer)

    def resolved(self, buffer):
        if buffer not in self.declared:
            raise NotExported("buffer that nothing declares")
        return buffer

    def buffer_name(self, buffer):
        return self.names.of(self.resolved(buffer))

    def _parameters(self):
        if self.packed is None:
            return list(self.func.params), self.func.body
        rows = sorted(self.packed.buffers + self.packed.scalars, key=lambda row: row[0])
        return [var for _, var in rows], self.packed.compute

    def _parameter(self, var):
        ty = var.ty
        if type(ty).__name__ == "BufferType":
            dtype = dtype_of(ty.dtype, "parameter")
            if "x" in dtype:
                raise NotExported("parameter of vectors")
            self.declare(var)
            strides = self.strides_text(ty)
            offset = ty.elem_offset
            if not self.zero_offset(ty) and type(offset).__name__ != "Var":
                raise NotExported("parameter with an offset")
            if type(offset).__name__ == "Var":
                self.offsets.add(offset)
            return f'{self.names.of(var)}: T.Buffer({self.shape(ty.shape)}, "{dtype}"{strides})'
        if type(ty).__name__ == "PrimType":
            return f"{self.names.of(var)}: T.{dtype_of(ty, 'parameter')}"
        raise NotExported(f"parameter of type {type(ty).__name__}")

    def export(self):
        self.offsets = set()
        params, body = self._parameters()
        known = {p for p in params if type(p.ty).__name__ == "PrimType"}
        extents = []
        for p in params:
            if type(p.ty).__name__ == "BufferType":
                extents += list(p.ty.shape) + list(p.ty.strides)
        sizes = []
        free_vars_of(extents, known, sizes)
        self.scalars |= known | set(sizes)
        written = [self._parameter(p) for p in params] + [self._parameter(v) for v in sizes]
        self.line(0, "@T.prim_func")
        self.line(0, f"def {self.names.fresh(self.name)}({', '.join(written)}):")
        if self.layouts:
            self.line(1, f'T.func_attr({{"proviso.layout": {json.dumps(self.layouts)}}})')
        self.body(body, 1)
        if self.packed is not None:
            self.relations.add(f"packed arguments ({self.packed.checks} checks skipped)")
        return Exported("\n".join(self.lines) + "\n",
                        [self.names.of(p) for p in params + sizes], sorted(self.relations))


def export(func, name="main", layouts=None):
    """The function as `Exported`; raises NotExported.

    `layouts` relates parameters to those of another function (see layout.py).
    """
    try:
        return Exporter(func, name, layouts).export()
    except RecursionError:
        raise NotExported("nesting deeper than Python's stack") from None
