"""Index expressions and conditions that Python functions of a schedule build: recorded as text."""

from __future__ import annotations

import inspect
from typing import Any, Callable

from .errors import Error

_BINARY = {
    "add": "+", "sub": "-", "mul": "*", "floordiv": "//", "mod": "%",
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=",
    "and": "and", "or": "or",
}
_REFLECTED = ("add", "sub", "mul", "floordiv", "mod", "and", "or")


class Expr:
    """An expression as text. ``&``, ``|`` and ``~`` stand for ``and``, ``or`` and ``not``.

    >>> from proviso import T
    >>> i = T.name("i")
    >>> T.min(i // 4, 8) + 1
    Expr('(T.min((i // 4), 8) + 1)')
    """

    __slots__ = ("text",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, text: str):
        self.text = text

    def __repr__(self) -> str:
        return f"Expr({self.text!r})"

    def __bool__(self) -> bool:
        raise Error(f"whether `{self.text}` is true is not known here",
                    hint="`&`, `|` and `~` for and, or and not; T.if_then_else(c, a, b) for a choice")

    def __iter__(self) -> Any:
        raise Error(f"`{self.text}` has no elements that could be counted here")

    def __neg__(self) -> Expr:
        return Expr(f"(-{self.text})")

    def __invert__(self) -> Expr:
        return Expr(f"(not {self.text})")

    def __getitem__(self, index: Any) -> Expr:
        at = index if isinstance(index, tuple) else (index,)
        return Expr(f"{self.text}[{', '.join(render(one) for one in at)}]")

    def __call__(self, *arguments: Any, **named: Any) -> Expr:
        return Expr(f"{self.text}({call_text(arguments, named)})")


def _binary(symbol: str, reflected: bool) -> Callable[[Expr, Any], Expr]:
    def apply(self: Expr, other: Any) -> Expr:
        left, right = (render(other), self.text) if reflected else (self.text, render(other))
        return Expr(f"({left} {symbol} {right})")

    return apply


for _name, _symbol in _BINARY.items():
    setattr(Expr, f"__{_name}__", _binary(_symbol, False))
for _name in _REFLECTED:
    setattr(Expr, f"__r{_name}__", _binary(_BINARY[_name], True))


class Language:
    """``T`` of schedules: ``T.min``, ``T.if_then_else``, ``T.undef("float32")``, …

    ``T.name("B")`` is what has that name in the program, such as a buffer: ``T.name("B")[i]``.
    """

    def name(self, name: str) -> Expr:
        if not (isinstance(name, str) and name.isidentifier()):
            raise Error(f"{name!r} is no name")
        return Expr(name)

    def __getattr__(self, name: str) -> Expr:
        if name.startswith("_"):
            raise AttributeError(name)
        return Expr(f"T.{name}")


T = Language()


def quoted(text: str) -> str:
    """A string in the syntax of schedules."""
    out = ['"']
    for c in text:
        if c in '"\\':
            out.append("\\" + c)
        elif c in "\n\t\r":
            out.append({"\n": "\\n", "\t": "\\t", "\r": "\\r"}[c])
        elif c < " " or c == "\x7f":
            raise Error(f"a schedule cannot hold the character {c!r}")
        else:
            out.append(c)
    return "".join(out) + '"'


def render(value: Any) -> str:
    """A value as it stands in the text of a schedule."""
    if isinstance(value, Expr):
        return value.text
    recorded = getattr(type(value), "_recorded", None)
    if recorded is not None:
        return str(recorded(value))
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, list):
        return "[" + ", ".join(render(one) for one in value) + "]"
    if isinstance(value, tuple):
        return "(" + "".join(render(one) + ", " for one in value).rstrip(" ") + ")"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{render(k)}: {render(v)}" for k, v in value.items()) + "}"
    if hasattr(value, "__index__"):
        try:
            return str(value.__index__())
        except ValueError as why:  # thousands of digits
            raise Error(f"a schedule cannot hold this number: {why}") from None
    if hasattr(value, "dtype") and hasattr(value, "item"):  # a number of NumPy
        return render(value.item())
    if callable(value):
        return lambda_text(value)
    raise Error(f"a schedule cannot hold {value!r}",
                hint="numbers, texts, lists, functions of indices, and what calls of the schedule gave")


def _float(value: float) -> str:
    if value != value or value in (float("inf"), float("-inf")):
        raise Error(f"a schedule cannot hold the number {value}")
    return repr(value)


def lambda_text(function: Callable[..., Any]) -> str:
    """An index map or a condition: the function is called once, with its parameters as expressions."""
    names = []
    try:
        signature = inspect.signature(function)
    except ValueError:
        raise Error(f"nobody knows the parameters of {function!r}", hint="lambda i, j: …") from None
    for parameter in signature.parameters.values():
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            raise Error(f"the function's parameter {parameter} has no place of its own",
                        hint="name each index: lambda i, j: …")
        if parameter.default is parameter.empty:
            names.append(parameter.name)
    result = function(*(Expr(name) for name in names))
    return f"lambda {', '.join(names)}: {render(result)}" if names else f"lambda: {render(result)}"


def call_text(arguments: tuple[Any, ...], named: dict[str, Any]) -> str:
    for name in named:
        if not name.isidentifier():
            raise Error(f"{name!r} is no name of an argument")
    all_of = [render(a) for a in arguments]
    all_of += [f"{name}={render(value)}" for name, value in named.items()]
    return ", ".join(all_of)
