"""The checks at the beginning of a packed function, run on calls: a legal one, and wrong ones.

`packed.py` skips these checks, so that what is compared is the part that computes. Here they are
evaluated on a model of TVM's calling convention: of a call as the function before the packing
allows it, all of them have to hold, and each buffer has to be the one that was passed. Of calls
with one thing wrong (a type, an extent, a stride), some check has to fail.
"""

from dataclasses import dataclass, field

import tvm
from tvm import ir

from .statements import free_vars

# Fields that `tvm_struct_get` reads.
(_DATA, _SHAPE, _STRIDES, _DIMS, _CODE, _BITS, _LANES, _BYTES, _DEVICE, _KIND) = range(1, 11)
_TYPE_INDEX, _VALUE, _ELEMENT = 13, 15, 17
_INT, _BOOL, _FLOAT, _TENSOR = 1, 2, 3, 7  # kinds of arguments
_CODES = {"int": 0, "uint": 1, "float": 2, "bfloat": 4, "bool": 6}
_SIZES = (5, 7, 11, 13, 17, 19, 23)  # of what is symbolic


class NotEvaluated(Exception):
    """An expression of the checks that the model does not know."""


@dataclass
class Report:
    """What the checks do."""

    checks: int = 0  # that the legal call has passed
    refuses: str = ""  # the check that a legal call does not pass, or a wrong buffer
    guarded: int = 0  # wrong calls that are refused
    open: list = field(default_factory=list)  # wrong calls that no check refuses
    unknown: str = ""

    def told(self):
        """The relation, for the report: what is counted stands before the bracket."""
        if self.unknown:
            return f"packed arguments, checks not evaluated ({self.unknown})"
        text = f"{self.checks} checks hold of a legal call, {self.guarded} wrong calls are refused"
        if self.open:
            return f"packed arguments, not all checked ({text}, but not: {', '.join(self.open)})"
        return f"packed arguments ({text})"


def _size(e, sizes):
    if type(e).__name__ == "IntImm":
        return int(e.value)
    if type(e).__name__ == "Var":
        return sizes.setdefault(e.name, _SIZES[len(sizes) % len(_SIZES)])
    operators = {"Add": lambda a, b: a + b, "Mul": lambda a, b: a * b, "Sub": lambda a, b: a - b}
    if type(e).__name__ in operators:
        return operators[type(e).__name__](_size(e.a, sizes), _size(e.b, sizes))
    raise NotEvaluated(f"extent {e}")


def _device(func):
    """TVM's number for the memory that the function takes."""
    target = func.attrs.get("target", None) if func.attrs is not None else None
    return 2 if target is not None and str(target.kind.name) == "cuda" else 1


def _free(func):
    """Names of sizes that one extent defines, and nothing else mentions: any value is right."""
    said = [v.name for p in func.params if type(p.ty).__name__ == "BufferType"
            for v in free_vars(list(p.ty.shape) + list(p.ty.strides))]
    said += [p.name for p in func.params if type(p.ty).__name__ != "BufferType"]
    return {name for name in said if said.count(name) == 1}


def legal_call(func):
    """The arguments that the function, not packed yet, is called with."""
    out, sizes, free = [], {}, _free(func)
    for p in func.params:
        ty = p.ty
        if type(ty).__name__ == "BufferType":
            dtype = tvm.DataType(str(ty.dtype.dtype))
            kind = str(dtype).rstrip("0123456789x")
            out.append({
                "name": p.name, _TYPE_INDEX: _TENSOR, _SHAPE: [_size(e, sizes) for e in ty.shape],
                _STRIDES: [_size(e, sizes) for e in ty.strides] or None, _DIMS: len(ty.shape),
                _CODE: _CODES[kind], _BITS: dtype.bits, _LANES: dtype.lanes, _BYTES: 0,
                _DEVICE: 0, _KIND: _device(func), _DATA: True,
                "free": [getattr(e, "name", "") in free for e in ty.shape]})
        elif str(ty.dtype).startswith("float"):
            out.append({"name": p.name, _TYPE_INDEX: _FLOAT, _VALUE: 1.0})
        else:
            kind = _BOOL if str(ty.dtype) == "bool" else _INT
            value = 1 if kind == _BOOL else sizes.setdefault(p.name, _SIZES[len(sizes) % 7])
            out.append({"name": p.name, _TYPE_INDEX: kind, _VALUE: value})
    return out


def wrong_calls(call):
    """(what is wrong, a call) with one thing changed in each."""
    def with_(k, **new):
        fields = {int(f[1:]): v for f, v in new.items()}
        return [a | fields if j == k else a for j, a in enumerate(call)]

    yield "the number of arguments", call[:-1]
    for k, a in enumerate(call):
        name = a["name"]
        if a[_TYPE_INDEX] != _TENSOR:
            yield f"kind of {name}", with_(k, _13=_TENSOR)
            continue
        yield f"kind of {name}", with_(k, _13=_INT)
        yield f"no memory of {name}", with_(k, _1=None)
        yield f"type of {name}", with_(k, _5=a[_CODE] + 1)
        yield f"width of {name}", with_(k, _6=a[_BITS] * 2)
        yield f"lanes of {name}", with_(k, _7=a[_LANES] + 1)
        yield f"dimensions of {name}", with_(k, _4=a[_DIMS] + 1)
        yield f"offset of {name}", with_(k, _8=64)
        yield f"device of {name}", with_(k, _10=3 - a[_KIND])
        for d, extent in enumerate(a[_SHAPE]):
            if a["free"][d]:
                continue
            yield f"extent {d} of {name}", with_(
                k, _2=a[_SHAPE][:d] + [extent + 1] + a[_SHAPE][d + 1:])
        strides, step = [], 1
        for extent in reversed(a[_SHAPE]):
            strides, step = [step] + strides, step * extent
        for d, stride in enumerate(a[_STRIDES] or strides):
            if a[_SHAPE][d] > 1:  # else no cell depends on it
                other = list(a[_STRIDES] or strides)
                other[d] = stride + 1
                yield f"stride {d} of {name}", with_(k, _3=other)


class _Failed(Exception):
    pass


class _Run:
    """The beginning of a packed function on one call."""

    def __init__(self, func, call):
        self.call = call
        self.values = {}
        self.checks = 0
        self.bound = []  # (buffer's name, the argument whose memory it is)
        names = ["self", "args", "count", "result"]
        for p, name in zip(func.params, names):
            self.values[p] = len(call) if name == "count" else (name,)
        self.done = False
        self.statement(func.body)

    def statement(self, s):
        if self.done:
            return
        kind = type(s).__name__
        if kind == "SeqStmt":
            for one in s.seq:
                self.statement(one)
        elif kind == "Bind":
            self.values[s.var] = self.value(s.value)
        elif kind == "AssertStmt":
            if not self.value(s.condition):
                raise _Failed("".join(str(getattr(p, "value", p)) for p in s.message_parts))
            self.checks += 1
        elif kind == "AttrStmt":
            self.done = str(s.attr_key) == "compute_scope"
            self.statement(s.body)
        elif kind == "DeclBuffer":
            self.bound.append((s.buffer.name, self.value(s.data)))
        elif kind == "IfThenElse":
            if self.value(s.condition):
                self.statement(s.then_case)
            elif s.else_case is not None:
                self.statement(s.else_case)
        elif kind not in ("Evaluate", "Return"):
            raise NotEvaluated(f"statement {kind}")

    def value(self, e):
        kind = type(e).__name__
        if kind in ("IntImm", "FloatImm"):
            return e.value
        if kind == "Var":
            if e not in self.values:
                raise NotEvaluated(f"variable {e.name}")
            return self.values[e]
        if kind in ("And", "Or"):
            first = self.value(e.a)
            return (first and self.value(e.b)) if kind == "And" else (first or self.value(e.b))
        if kind == "Not":
            return not self.value(e.a)
        if kind == "Cast":
            return self.value(e.value)
        if kind in _ARITHMETIC:
            return _ARITHMETIC[kind](self.value(e.a), self.value(e.b))
        if kind == "Let":
            self.values[e.var] = self.value(e.value)
            return self.value(e.body)
        if kind == "Select":
            return self.value(e.true_value if self.value(e.condition) else e.false_value)
        if kind == "Call" and isinstance(e.op, ir.Op):
            return self.call_of(e.op.name.removeprefix("tirx.").removeprefix("prim."),
                                e.args)
        raise NotEvaluated(f"expression {kind}")

    def call_of(self, name, args):
        if name == "tvm_stack_alloca":
            return ("stack",)
        if name == "tvm_struct_get":
            return self.member(self.value(args[0]), int(args[1].value), int(args[2].value))
        if name == "isnullptr":
            return self.value(args[0]) is None
        if name == "if_then_else":
            return self.value(args[1] if self.value(args[0]) else args[2])
        if name in ("reinterpret", "likely"):
            return self.value(args[0])
        if name == "handle_add_byte_offset":
            return self.value(args[0])
        raise NotEvaluated(name)

    def member(self, base, number, kind):
        if base == ("args",):
            if number >= len(self.call):
                raise _Failed("an argument behind the last one is read")
            one = self.call[number]
            if kind == _VALUE and one[_TYPE_INDEX] == _TENSOR and _SHAPE in one:
                return "tensor", number
            return one.get(kind)
        if isinstance(base, tuple) and base[0] == "tensor":
            one = self.call[base[1]]
            if kind in (_DATA, _SHAPE, _STRIDES):
                return None if one[kind] is None else (kind, base[1])
            if kind in one:
                return one[kind]
        if isinstance(base, tuple) and base[0] in (_SHAPE, _STRIDES) and kind == _ELEMENT:
            row = self.call[base[1]][base[0]]
            if number < len(row):
                return row[number]
        raise NotEvaluated(f"field {kind}")


_ARITHMETIC = {
    "EQ": lambda a, b: a == b, "NE": lambda a, b: a != b, "LT": lambda a, b: a < b,
    "LE": lambda a, b: a <= b, "GT": lambda a, b: a > b, "GE": lambda a, b: a >= b,
    "Add": lambda a, b: a + b, "Sub": lambda a, b: a - b, "Mul": lambda a, b: a * b,
    "FloorDiv": lambda a, b: a // b, "FloorMod": lambda a, b: a % b,
    "Max": max, "Min": min,
}


def check_arguments(before, packed):
    """Runs the checks of `packed` on calls of `before`, the function that is not packed yet."""
    report = Report()
    try:
        call = legal_call(before)
        try:
            run = _Run(packed, call)
        except _Failed as why:
            report.refuses = str(why)
            return report
        report.checks = run.checks
        wanted = [(_DATA, k) for k, a in enumerate(call) if a[_TYPE_INDEX] == _TENSOR]
        got = [where for _, where in run.bound]
        if sorted(set(got)) != wanted:
            report.refuses = "a buffer that is not the argument in its place"
        for said, wrong in wrong_calls(call):
            try:
                _Run(packed, wrong)
                report.open.append(said)
            except _Failed:
                report.guarded += 1
    except (NotEvaluated, KeyError, AttributeError, TypeError) as why:
        report.unknown = str(why) or type(why).__name__
    return report
