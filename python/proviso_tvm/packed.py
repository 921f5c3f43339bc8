"""Functions after MakePackedAPI: their arguments are in an array of TVM's calling convention.

What is exported is the part that computes. The relation of the interfaces is `packed arguments`: a
parameter of the function before is the element of the array that TVM's code takes it from. The
checks of arguments (asserts on types, shapes, strides, alignment) are skipped, and counted.
"""

from tvm import ir

from .errors import NotExported

_POINTER, _VALUE, _SHAPE = 1, 15, 17


def is_packed(func):
    return int(func.attrs.get("calling_conv", 0) if func.attrs is not None else 0) == 1


def is_kernel(func):
    """A function of a device, which takes pointers; before SplitHostDevice ends it says no more."""
    convention = int(func.attrs.get("calling_conv", 0) if func.attrs is not None else 0)
    return convention == 2 or (convention == 0 and any(
        type(p.ty).__name__ == "PointerType" for p in func.params))


def op_name(e):
    if type(e).__name__ == "Call" and isinstance(e.op, ir.Op):
        return e.op.name.removeprefix("tirx.")
    return ""


def children(e):
    for field in ("args", "a", "b", "value", "condition", "true_value", "false_value"):
        got = getattr(e, field, None)
        if got is None or isinstance(got, (int, float, str)):
            continue
        yield from (got if field == "args" else [got])


def find_call(e, name):
    """The first call of that intrinsic within an expression, or None."""
    if op_name(e) == name:
        return e
    for child in children(e):
        found = find_call(child, name)
        if found is not None:
            return found
    return None


class Packed:
    """What the beginning of a packed function binds, up to the part that computes."""

    def __init__(self, func):
        self.array = func.params[1]
        self.checks = 0
        self.handles = {}  # variable -> number of the argument
        self.buffers = []  # (number of the argument, buffer)
        self.scalars = []  # (number of the argument, variable)
        self.shapes = {}  # variables of extents and strides that the code reads
        self.compute = None
        self._walk(func.body)
        if self.compute is None:
            raise NotExported("packed function without a part that computes")
        self.buffers.sort(key=lambda row: row[0])

    def _walk(self, s):
        kind = type(s).__name__
        if kind == "SeqStmt":
            for one in s.seq:
                self._walk(one)
        elif kind == "AssertStmt":
            self.checks += 1
        elif kind == "AttrStmt":
            if str(s.attr_key) == "compute_scope":
                self.compute = s.body
            else:
                self._walk(s.body)
        elif kind == "Bind":
            self._bind(s)
        elif kind == "DeclBuffer":
            self._declare(s)
        elif kind == "IfThenElse":
            self._skip_checks(s)
        elif kind in ("Evaluate", "Return"):
            pass
        else:
            raise NotExported(f"packed function with {kind} before its part that computes")

    def _skip_checks(self, s):
        def only_checks(x):
            kind = type(x).__name__
            if kind == "SeqStmt":
                return all(only_checks(one) for one in x.seq)
            if kind == "AssertStmt":
                self.checks += 1
                return True
            if kind == "IfThenElse":
                return only_checks(x.then_case) and (
                    x.else_case is None or only_checks(x.else_case))
            return kind == "Evaluate"
        if not only_checks(s):
            raise NotExported("packed function with a branch that is no check")

    def _argument(self, e):
        """The number of the argument that an expression takes from the array, or None."""
        call = find_call(e, "tvm_struct_get")
        if call is not None and call.args[0].same_as(self.array) and \
                int(call.args[2].value) == _VALUE:
            return int(call.args[1].value)
        return None

    def _bind(self, s):
        number = self._argument(s.value)
        if type(s.var.ty).__name__ == "PointerType":
            if number is not None:
                self.handles[s.var] = number
            return
        if number is not None:
            self.scalars.append((number, s.var))
        else:
            self.shapes[s.var] = s.value

    def _declare(self, s):
        call = find_call(s.data, "tvm_struct_get")
        if call is None or int(call.args[2].value) != _POINTER or \
                call.args[0] not in self.handles:
            raise NotExported("packed function with a pointer of unknown origin")
        self.buffers.append((self.handles[call.args[0]], s.buffer))
