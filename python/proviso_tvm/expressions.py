"""Expressions of TVM's IR as text that Proviso reads."""

import math

import tvm
from tvm import ir

from .errors import NotExported

_BINARY = {
    "Add": "+", "Sub": "-", "Mul": "*", "FloorDiv": "//", "FloorMod": "%",
    "EQ": "==", "NE": "!=", "LT": "<", "LE": "<=", "GT": ">", "GE": ">=",
    "LShift": "<<", "RShift": ">>", "LeftShift": "<<", "RightShift": ">>",
    "BitwiseAnd": "&", "BitwiseOr": "|", "BitwiseXor": "^",
    "And": "and", "Or": "or",
}
_LOGIC = {"And", "Or"}
# Functions of one meaning on both sides.
_MATH = {
    "exp", "exp2", "log", "log2", "sin", "cos", "tanh", "sigmoid", "erf", "sqrt", "rsqrt",
    "floor", "ceil", "trunc", "nearbyint", "isnan", "isinf", "isfinite", "pow", "fabs", "round",
}
# LLVM's intrinsics: the same functions.
_LLVM = {
    "llvm.exp": "exp", "llvm.exp2": "exp2", "llvm.log": "log", "llvm.log2": "log2",
    "llvm.sin": "sin", "llvm.cos": "cos", "llvm.sqrt": "sqrt", "llvm.floor": "floor",
    "llvm.ceil": "ceil", "llvm.trunc": "trunc", "llvm.nearbyint": "nearbyint",
    "llvm.rint": "nearbyint", "llvm.fabs": "fabs", "llvm.pow": "pow",
}
# The C library's: the same functions.
_LIBRARY = {f + end: f for f in ("exp", "exp2", "log", "log2", "sin", "cos", "tanh", "erf", "pow",
                                 "sqrt", "fabs", "floor", "ceil", "trunc", "nearbyint")
            for end in ("", "f")}
_SHIFTS = {"shift_left": "<<", "shift_right": ">>", "bitwise_and": "&", "bitwise_or": "|",
           "bitwise_xor": "^"}


def dtype_of(ty, what):
    """The text of a scalar or vector type."""
    if type(ty).__name__ != "PrimType":
        raise NotExported(f"{what} of type {type(ty).__name__}")
    text = str(ty.dtype)
    if text in ("handle", "void", ""):
        raise NotExported(f"{what} of type {text or 'void'}")
    if "float4" in text or "float6" in text or "float8" in text or "vscale" in text:
        raise NotExported(f"type {text}")
    if text.split("x")[0] in ("int4", "uint4", "int1", "uint1", "int2", "uint2"):
        raise NotExported(f"type {text}")
    return text


def is_float(text):
    return text.startswith(("float", "bfloat"))


def is_int_const(expr):
    return type(expr).__name__ == "IntImm"


def intrinsic_name(number):
    """The name of LLVM's intrinsic of this number."""
    get = tvm.get_global_func("target.llvm_get_intrinsic_name", allow_missing=True)
    return str(get(number)) if get is not None else f"number {number}"


class Expressions:
    """Mixed into the exporter, which knows names (`self.names`), buffers and notes."""

    def expr(self, e):
        method = getattr(self, "_expr_" + type(e).__name__, None)
        if method is not None:
            return method(e)
        operator = _BINARY.get(type(e).__name__)
        if operator is not None:
            return self._binary(e, operator)
        raise NotExported(f"expression {type(e).__name__}")

    def plain(self, e):
        """An expression in a place that is int32 anyway: indices, bounds of loops."""
        if is_int_const(e) and str(e.ty.dtype) == "int32":
            return str(e.value)
        return self.expr(e)

    def _binary(self, e, operator):
        dtype_of(e.ty, "expression")
        if operator in ("//", "%") and is_float(str(e.a.ty.dtype)):
            raise NotExported(f"{type(e).__name__} of floats")
        if type(e).__name__ in ("Add", "Sub", "Mul", "LT", "LE", "GT", "GE") and \
                str(e.a.ty.dtype).startswith("bool"):
            raise NotExported(f"{type(e).__name__} of bool")
        if type(e).__name__ in _LOGIC:
            return f"({self.expr(e.a)} {operator} {self.expr(e.b)})"
        a = self.expr(e.a) if is_int_const(e.b) else self.plain(e.a)
        b = self.expr(e.b) if is_int_const(e.a) else self.plain(e.b)
        if b.startswith("-"):
            b = f"({b})"
        return f"({a} {operator} {b})"

    def _call2(self, name, e):
        return f"T.{name}({self.expr(e.a)}, {self.expr(e.b)})"

    def _expr_Min(self, e):
        return self._call2("min", e)

    def _expr_Max(self, e):
        return self._call2("max", e)

    def _expr_Div(self, e):
        if is_float(str(e.ty.dtype)):
            return f"({self.expr(e.a)} / {self.expr(e.b)})"
        return self._call2("truncdiv", e)

    def _expr_Mod(self, e):
        if is_float(str(e.ty.dtype)):
            raise NotExported("Mod of floats")
        return self._call2("truncmod", e)

    def _expr_Not(self, e):
        return f"(not {self.expr(e.a)})"

    def _expr_BitwiseNot(self, e):
        return f"T.bitwise_not({self.expr(e.a)})"

    def _expr_Select(self, e):
        return (f"T.Select({self.expr(e.condition)}, {self.expr(e.true_value)}, "
                f"{self.expr(e.false_value)})")

    def _expr_Cast(self, e):
        return f'T.Cast("{dtype_of(e.ty, "cast")}", {self.expr(e.value)})'

    def _expr_Let(self, e):
        value = self.expr(e.value)
        dtype_of(e.var.ty, "let")
        name = self.names.of(e.var)
        self.scalars.add(e.var)
        return f"T.Let({self.expr(e.body)}, where={{{name}: {value}}})"

    def _expr_IntImm(self, e):
        dtype = dtype_of(e.ty, "constant")
        if dtype == "bool":
            return "True" if e.value else "False"
        return f"T.{dtype}({int(e.value)})"

    def _expr_FloatImm(self, e):
        dtype = dtype_of(e.ty, "constant")
        value = float(e.value)
        if math.isnan(value):
            return f'T.{dtype}("nan")'
        if math.isinf(value):
            return f'T.{dtype}("{"-" if value < 0 else ""}inf")'
        return f"T.{dtype}({value!r})"

    def _expr_Var(self, e):
        dtype_of(e.ty, "variable")
        if e in self.cells:
            return self.cell(e)
        if e not in self.scalars:
            raise NotExported("variable that nothing binds")
        return self.names.of(e)

    def _expr_Ramp(self, e):
        return f"T.Ramp({self.expr(e.base)}, {self.expr(e.stride)}, {self.lanes(e)})"

    def _expr_Broadcast(self, e):
        return f"T.Broadcast({self.expr(e.value)}, {self.lanes(e)})"

    def lanes(self, e):
        if not is_int_const(e.lanes):
            raise NotExported("vscale")
        return int(e.lanes.value)

    def index(self, indices):
        # A buffer without dimensions is read at (): a spelling of its own.
        return ", ".join(self.plain(i) for i in indices) or "()"

    def cell_index(self, buffer, indices):
        """The index of a cell, that of the thread in front where each has its own."""
        lead = self.leading(buffer)
        inner = self.index(indices)
        return lead.removesuffix(", ") if lead and inner == "()" else lead + inner

    def _expr_TensorLoad(self, e):
        return f"{self.buffer_name(e.source)}[{self.cell_index(e.source, e.indices)}]"

    def _expr_Call(self, e):
        op = e.op
        if not isinstance(op, ir.Op):
            raise NotExported("call of a function")
        name = op.name.removeprefix("tirx.").removeprefix("prim.")
        if name == "if_then_else":
            return "T.if_then_else(" + ", ".join(self.expr(a) for a in e.args) + ")"
        if name in _MATH:
            for a in e.args:
                if not is_float(str(a.ty.dtype)):
                    raise NotExported(f"{name} of an integer")
            return f"T.{name}(" + ", ".join(self.expr(a) for a in e.args) + ")"
        if name in _SHIFTS:
            return f"({self.expr(e.args[0])} {_SHIFTS[name]} {self.expr(e.args[1])})"
        if name == "bitwise_not":
            return f"T.bitwise_not({self.expr(e.args[0])})"
        if name in ("likely", "ignore_loop_partition"):
            return self.expr(e.args[0])
        if name == "reinterpret":
            return self._reinterpret(e)
        if name in ("call_llvm_pure_intrin", "call_llvm_intrin"):
            return self._llvm(e)
        if name == "call_extern":
            return self._extern(e)
        if name == "call_pure_extern":
            return self._pure(e)
        raise NotExported(name)

    def _reinterpret(self, e):
        to, value = dtype_of(e.ty, "reinterpret"), e.args[0]
        of = dtype_of(value.ty, "reinterpret")
        if to == of:
            return self.expr(value)
        ints = ("int", "uint")
        if to.startswith(ints) and of.startswith(ints) and to.lstrip("u") == of.lstrip("u"):
            return f'T.reinterpret("{to}", {self.expr(value)})'
        raise NotExported(f"reinterpret from {of} to {to}")

    def _llvm(self, e):
        name = intrinsic_name(int(e.args[0].value))
        args = list(e.args)[1:]
        if name in _LLVM:
            return f"T.{_LLVM[name]}(" + ", ".join(self.expr(a) for a in args) + ")"
        if name == "llvm.fmuladd":
            # Rounded once or twice, as LLVM likes. Read as twice: said in the answer.
            self.relations.add("contract: llvm.fmuladd read as a product and a sum")
            a, b, c = (self.expr(x) for x in args)
            return f"({a} * {b} + {c})"
        raise NotExported(name)

    def _pure(self, e):
        name = e.args[0].value
        if name == "rsqrtf":  # of CUDA: within two units in the last place
            self.relations.add("approximate (rsqrtf read as the exact function)")
            return f"T.rsqrt({self.expr(e.args[1])})"
        if name not in _LIBRARY or str(e.ty.dtype) not in ("float32", "float64"):
            raise NotExported(f"call_pure_extern {name}")
        return f"T.{_LIBRARY[name]}(" + ", ".join(self.expr(a) for a in list(e.args)[1:]) + ")"

    def _extern(self, e):
        dtype = dtype_of(e.ty, "call_extern")
        args = []
        for a in list(e.args)[1:]:
            args.append(self.expr(a))
        name = e.args[0].value
        return f'T.call_extern("{dtype}", "{name}"' + "".join(", " + a for a in args) + ")"
