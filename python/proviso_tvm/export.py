"""TVM's functions (objects, not printed text) as text that Proviso reads."""

import json
from dataclasses import dataclass, field

from .annotations import Annotations, plain_text
from .errors import NotExported
from .expressions import Expressions, dtype_of
from .facts import has_barrier
from .launches import Launches
from .meetings import Meetings
from .names import Names
from .packed import Packed, is_kernel, is_packed
from .phases import UNSYNCED, Phases
from .statements import Statements, free_vars, has_threads


@dataclass
class Exported:
    """A function's text, and what has to be believed with it."""

    text: str
    params: list = field(default_factory=list)  # names, in order
    relations: list = field(default_factory=list)  # "packed arguments (21 checks skipped)"
    plain: str = ""  # the text without annotations
    left_out: list = field(default_factory=list)  # annotations whose values have no spelling


class Exporter(Expressions, Statements, Annotations, Phases, Meetings,
               Launches):
    """One function. `text` raises NotExported, with the name of the construct."""

    def __init__(self, func, name="main", layouts=None, kernels=None, claims=False,
                 to_come=None):
        self.func = func
        self.claims = claims
        self.left_out = []
        self.start_launches(kernels)
        self.top = []  # lines of memory of blocks and threads
        self.on_gpu = False
        self.layouts = layouts or {}
        self.name = name
        self.names = Names()
        self.scalars = set()
        self.threads = {}  # index -> name and extent of the loops around
        if to_come is None:
            split = is_packed(func) or is_kernel(func) or bool(kernels)
            to_come = () if split or has_barrier(func.body) else UNSYNCED
        self.start_phases(to_come)
        self.declared = set()
        self.pointers = {}
        self.workspaces = set()  # buffers whose memory a call has allocated
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
        if self.packed is None and is_kernel(self.func):
            return self._kernel_parameters()
        if self.packed is None:
            return list(self.func.params), self.func.body
        rows = sorted(self.packed.buffers + self.packed.scalars, key=lambda row: row[0])
        return [var for _, var in rows], self.packed.compute

    def _kernel_parameters(self):
        """A kernel takes pointers; what it declares on them are its parameters."""
        found = {}
        body = self.func.body
        for s in (body.seq if type(body).__name__ == "SeqStmt" else []):
            if type(s).__name__ == "DeclBuffer" and type(s.data).__name__ == "Var":
                found.setdefault(s.data, s.buffer)
        params = []
        for p in self.func.params:
            if type(p.ty).__name__ == "PointerType":
                if p not in found:
                    raise NotExported("kernel with a pointer that it does not declare")
                self.pointers[p] = found[p]
                params.append(found[p])
            else:
                params.append(p)
        return params, body

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
        sizes = list(dict.fromkeys(v for v in free_vars(extents) if v not in known))
        self.sizes = known | set(sizes)
        self.on_gpu = has_threads(body)
        if self.on_gpu:
            self.look_for_teams(body)
        self.scalars |= known | set(sizes)
        written = [self._parameter(p) for p in params] + [self._parameter(v) for v in sizes]
        self.line(0, "@T.prim_func")
        self.line(0, f"def {self.names.fresh(self.name)}({', '.join(written)}):")
        if self.layouts:
            self.line(1, f'T.func_attr({{"proviso.layout": {json.dumps(self.layouts)}}})')
        begin = len(self.lines)
        self.body(body, 1)
        self.lines[begin:begin] = self.top
        if self.packed is not None:
            self.relations.add(f"packed arguments ({self.packed.checks} checks skipped)")
        return Exported("\n".join(self.lines) + "\n",
                        [self.names.of(p) for p in params + sizes], sorted(self.relations),
                        plain_text(self.lines), sorted(set(self.left_out)))


def export(func, name="main", layouts=None, kernels=None, claims=False, to_come=None):
    """The function as `Exported`; raises NotExported.

    `layouts` relates parameters to those of another function (see layout.py). `kernels` are the
    functions for a device, by name, which it launches. `claims`: `T.reads` and `T.writes` are
    exported, too. `to_come` are the scopes of memory whose barriers the pass ThreadSync has not
    inserted yet; without it they are guessed: all, unless there are barriers or kernels.
    """
    try:
        return Exporter(func, name, layouts, kernels, claims, to_come).export()
    except RecursionError:
        raise NotExported("nesting deeper than Python's stack") from None
