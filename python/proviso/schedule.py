"""Schedules as Python functions: each call is recorded as a line of a schedule's text."""

from __future__ import annotations

import ast
import inspect
import sys
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Callable, Iterator

from . import _native
from .errors import Error
from .expressions import call_text, render

# What the text of a schedule shows, whose lines have these places in Python.
Ask = Callable[[str, list[tuple[str, int]]], str]

_PACKAGE = __name__.rpartition(".")[0]

# Whose call is written down.
_recording: ContextVar[_Recorder] = ContextVar("recording")


def _caller() -> tuple[str, int]:
    """File and line of the first frame outside of this package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__package__") == _PACKAGE:
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


class _Line:
    __slots__ = ("indent", "text", "name", "place")

    def __init__(self, indent: int, text: str, name: str, place: tuple[str, int]):
        self.indent = indent
        self.text = text
        self.name = name  # of its result, once somebody uses it
        self.place = place


class _Recorder:
    """The lines so far, and the program to ask what a call gives."""

    def __init__(self, ask: Ask):
        self.lines: list[_Line] = []
        self.indent = 0
        self.ask = ask

    def add(self, text: str) -> _Line:
        line = _Line(self.indent, text, "", _caller())
        self.lines.append(line)
        return line

    def use(self, line: _Line) -> str:
        if not line.name:
            line.name = f"r{self.lines.index(line) + 1}"
        return line.name

    def places(self) -> list[tuple[str, int]]:
        return [line.place for line in self.lines]

    def text(self) -> str:
        out = []
        for line in self.lines:
            named = f"{line.name} = " if line.name else ""
            out.append("    " * line.indent + named + line.text + "\n")
        return "".join(out)

    def value(self, expression: str) -> str:
        """What `print(expression)` shows after the calls so far."""
        mark = "proviso value: "
        space = "    " * self.indent
        question = f'{space}print("{mark}")\n{space}print({expression})\n'
        shown = self.ask(self.text() + question, [*self.places(), _caller(), _caller()])
        return shown.rpartition(mark)[2].strip("\n")


class Value:
    """What a call gave: a block, a loop, a list of them, or numbers.

    It may be given to other calls. Its length, elements and attributes are found out by running the
    calls so far, when they are asked for.
    """

    __slots__ = ("_recorder", "_line", "_suffix", "_count")

    def __init__(self, recorder: _Recorder, line: _Line, suffix: str = "",
                 count: int | None = None):
        self._recorder = recorder
        self._line = line
        self._suffix = suffix
        self._count = count  # of elements, where the call says it

    def _recorded(self) -> str:
        if _recording.get(self._recorder) is not self._recorder:
            raise Error(f"{self!r} was given by the schedule of another lowering",
                        hint="ask this one for it: sch.get_block, sch.get_loops, sch.loop")
        return self._recorder.use(self._line) + self._suffix

    def _asked(self, expression: str) -> Any:
        text = self._recorder.value(expression)
        try:
            return ast.literal_eval(text)
        except (SyntaxError, ValueError):
            return text

    def __len__(self) -> int:
        if self._count is None:
            self._count = int(self._asked(f"len({self._recorded()})"))
        return self._count

    def __iter__(self) -> Iterator[Value]:
        return iter([self[k] for k in range(len(self))])

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        at = index.__index__()
        if at < 0:
            at += len(self)
        if at < 0 or (self._count is not None and at >= self._count):
            raise IndexError(f"there is no element {index}")
        return Value(self._recorder, self._line, f"{self._suffix}[{at}]")

    def __int__(self) -> int:
        return int(self._asked(self._recorded()))

    __index__ = __int__

    def __bool__(self) -> bool:
        return bool(self._asked(f"bool({self._recorded()})"))

    @property
    def extent(self) -> Any:
        """The number of iterations of a loop, where it is known (of ``sch.get(loop)`` or a loop)."""
        return self._asked(f"{self._got()}.extent")

    @property
    def name(self) -> str:
        """The name of a block or loop."""
        return str(self._recorder.value(f"{self._got()}.name"))

    @property
    def branches(self) -> list[str]:
        """The conditions of branches in a block or loop."""
        return [str(self._recorder.value(f"{self._got()}.branches[{k}]"))
                for k in range(int(self._asked(f"len({self._got()}.branches)")))]

    def _got(self) -> str:
        if self._line.text.partition("(")[0].endswith(".get"):
            return self._recorded()
        return f"sch.get({self._recorded()})"

    def __repr__(self) -> str:
        return f"<{self._line.text}{self._suffix}>"


class Schedule:
    """The object that a Python function of a schedule gets; its methods are the primitives.

    >>> import proviso
    >>> def tile(sch):
    ...     i, j = sch.get_loops("copy")
    ...     for loop in sch.split(j, factors=[None, 4]):
    ...         pass
    ...     sch.parallel(i)
    >>> program = proviso.parse('''
    ... @T.prim_func
    ... def f(A: T.Buffer((4, 8), "int32"), B: T.Buffer((4, 8), "int32")):
    ...     for i, j in T.grid(4, 8):
    ...         with T.block("copy"):
    ...             vi, vj = T.axis.remap("SS", [i, j])
    ...             B[vi, vj] = A[vi, vj]
    ... ''')
    >>> print(program.schedule_text(tile), end="")
    r1 = sch.get_loops("copy")
    sch.split(r1[1], factors=[None, 4])
    sch.parallel(r1[0])
    """

    def __init__(self, recorder: _Recorder, name: str = "sch"):
        self._recorder = recorder
        self._name = name

    def _call(self, primitive: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Value:
        if not primitive.isidentifier():
            raise Error(f"{primitive!r} is no name of a primitive")
        before = _recording.set(self._recorder)
        try:
            text = f"{self._name}.{primitive}({call_text(arguments, named)})"
        finally:
            _recording.reset(before)
        count = None
        if primitive == "split":
            factors = named.get("factors", arguments[1] if len(arguments) > 1 else None)
            count = len(factors) if isinstance(factors, (list, tuple)) else None
        return Value(self._recorder, self._recorder.add(text), "", count)

    @contextmanager
    def inside(self, loop: Any) -> Iterator[Schedule]:
        """``with sch.inside(loop) as s:`` calls that see what is inside of a loop alone."""
        recorder = self._recorder
        name = f"s{recorder.indent + 1}"
        recorder.add(f"with {self._name}.inside({render(loop)}) as {name}:")
        first = len(recorder.lines)
        recorder.indent += 1
        try:
            yield Schedule(recorder, name)
        finally:
            recorder.indent -= 1
        if len(recorder.lines) == first:
            raise Error("nothing is called inside of the loop", hint="leave out the `with`")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        # The reader of schedules knows what comes near to it, and says so.
        return lambda *arguments, **named: self._call(name, arguments, named)


def _method(primitive: str, usage: str, arguments: str) -> Any:
    def method(self: Schedule, *given: Any, **named: Any) -> Value:
        return self._call(primitive, given, named)

    method.__name__ = primitive
    method.__qualname__ = f"Schedule.{primitive}"
    method.__doc__ = f"``sch.{usage}``; docs/schedules.md says what it does and when it is refused."
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter("self", kind)]
    words = arguments
    if words.startswith("..."):
        words = words[3:]
        parameters.append(inspect.Parameter("loops", inspect.Parameter.VAR_POSITIONAL))
        kind = inspect.Parameter.KEYWORD_ONLY
    parameters += [inspect.Parameter(word, kind, default=...) for word in words.split()]
    method.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return method


for _name, (_arguments, _usage) in _native.primitives():
    if _name != "inside":
        setattr(Schedule, _name, _method(_name, _usage, _arguments))


def record(function: Callable[[Schedule], Any], ask: Ask) -> _Recorder:
    """The calls that the function makes."""
    recorder = _Recorder(ask)
    result = function(Schedule(recorder))
    if inspect.iscoroutine(result) or inspect.isgenerator(result) or inspect.isasyncgen(result):
        if not inspect.isasyncgen(result):
            result.close()
        # Nothing of it has run.
        name = getattr(function, "__qualname__", "this one")
        raise Error(f"a schedule is a function that returns, and {name} gives a {type(result).__name__}",
                    hint="without `yield`, `async` and `await`")
    return recorder
