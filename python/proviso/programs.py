"""Programs, and what they become."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping as MappingABC
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Mapping

from . import _native
from .calls import (answered, apart_limits, checked, native, native_json, options_text, path_text,
                    one_text, read_text, scalar_text)
from .errors import Error
from .schedule import Schedule, record

if TYPE_CHECKING:
    from .questions import Audit

_TYPES = {"bool": "bool_", "bfloat16": "uint16"}  # cells of bfloat16 are their 16 bits
_OPTIONS = ("cache", "solver_seconds", "solver_memory", "solver_effort", "flatten", "symbol")
_BOUNDS_OPTIONS = ("cache", "solver_seconds", "solver_memory", "solver_effort", "seconds", "memory")


def parse(source: str | os.PathLike[str], *, function: str = "", name: str = "") -> Program:
    """A program from its text, or from the file of a path: a text has several lines.

    ``function`` chooses one where the program has several; ``name`` is what messages call a text.

    >>> import proviso
    >>> p = proviso.parse('''
    ... @T.prim_func
    ... def twice(A: T.Buffer((4,), "int32")):
    ...     for i in range(4):
    ...         A[i] = A[i] * 2
    ... ''')
    >>> p.functions
    ('twice',)
    >>> print(p, end="")
    @T.prim_func
    def twice(A: T.Buffer((4,), "int32")):
        for i in range(4):
            A[i] = A[i] * 2
    """
    if isinstance(source, str) and "\n" in source:
        text, path = source, name or "<program>"
    else:
        text, path = read_text(source), name or path_text(source)
    told = native_json(_native.parse, text, path)
    functions = tuple(told["functions"])
    if function and function not in functions and function not in told["opaque"]:
        raise Error(f"{path} has no function '{function}'",
                    hint="there are: " + ", ".join(functions))
    return Program(text, path, function, functions, told["text"], told["texts"])


@dataclass(frozen=True)
class Program:
    """A program: its text as it was read; ``str`` gives its canonical form. Threads may share it.

    A notebook shows it in colour.

    >>> import proviso
    >>> two = proviso.parse('''
    ... @T.prim_func
    ... def f(A: T.Buffer((2,), "int32")):
    ...     A[0] = 1
    ...
    ... @T.prim_func
    ... def g(A: T.Buffer((2,), "int32")):
    ...     A[0] = 1 + 1
    ... ''', name="two.py")
    >>> two
    <Program two.py: f, g>
    >>> g = two["g"]
    >>> g.function, g.functions, g.path == two.path, g.text == two.text, g.canonical == str(two)
    ('g', ('f', 'g'), True, True, True)
    >>> print(two.texts["g"], end="")
    @T.prim_func
    def g(A: T.Buffer((2,), "int32")):
        A[0] = 2
    """

    #: As it was given.
    text: str
    #: What messages call it.
    path: str
    #: The function that is meant; "" where there is one alone.
    function: str
    #: The names of the functions that have a meaning.
    functions: tuple[str, ...]
    canonical: str
    #: The canonical text of each of these functions.
    texts: dict[str, str] = field(repr=False, compare=False)

    def __str__(self) -> str:
        return self.canonical

    def _repr_html_(self) -> str:
        from .display import boxed, program_html

        return boxed(program_html(self.canonical))

    def __repr__(self) -> str:
        return f"<Program {self.path}: {', '.join(self.functions)}>"

    def __getitem__(self, function: str) -> Program:
        """The same program, with this function meant."""
        if function not in self.functions:
            raise Error(f"{self.path} has no function '{function}'",
                        hint="there are: " + ", ".join(self.functions))
        return replace(self, function=function)

    def lower(self, schedule: str | os.PathLike[str] | Callable[[Schedule], Any] | None = None,
              target: str = "cpu", **options: Any) -> Lowered:
        """The program scheduled and lowered, with a proof of each step.

        A schedule is a text, a path (``pathlib.Path``), or a function of a :class:`Schedule`.
        Options: ``cache`` (a folder), ``solver_seconds``, ``solver_memory``, ``solver_effort``,
        ``flatten``, ``symbol``.

        >>> import proviso
        >>> p = proviso.parse('''
        ... @T.prim_func
        ... def f(A: T.Buffer((6,), "int32")):
        ...     for i in range(6):
        ...         with T.block("fill"):
        ...             vi = T.axis.spatial(6, i)
        ...             A[vi] = vi
        ... ''')
        >>> lowered = p.lower('sch.split(sch.get_loops("fill")[0], factors=[None, 3])')
        >>> print(lowered.text, end="")
        @T.prim_func
        def f(A: T.Buffer((6,), "int32")):
            for i_0 in range(2):
                for i_1 in range(3):
                    A[i_0 * 3 + i_1] = i_0 * 3 + i_1
        """
        given = dict(options, target=target)
        text, name, places = self._schedule(schedule, given)
        given["schedule_name"] = name
        with _places(places):
            code = native(_native.lower, self.text, self.path, text, self._options(given))
        return Lowered(code)

    def to_tvm(self) -> Any:
        """A PrimFunc of TVM, or an IRModule where the program has several functions.

        What TVM has read is exported again, and has to be the same program, or proved to refine it;
        else this is an :class:`Error`. Attributes of Proviso, such as layouts, are left out.

        >>> function = program.to_tvm()  # doctest: +SKIP
        """
        from .tvm import program_to_tvm

        return program_to_tvm(self)

    def schedule_text(self, schedule: Callable[[Schedule], Any]) -> str:
        """The calls of a Python function, as the text of a schedule; see :class:`Schedule`.

        >>> import proviso
        >>> p = proviso.parse('''
        ... @T.prim_func
        ... def f(A: T.Buffer((6,), "int32")):
        ...     for i in range(6):
        ...         A[i] = i
        ... ''')
        >>> print(p.schedule_text(lambda sch: sch.vectorize(sch.loop("i"))), end="")
        r1 = sch.loop("i")
        sch.vectorize(r1)
        """
        text, _, _ = self._schedule(schedule, {})
        assert text is not None
        return text

    def _options(self, options: dict[str, Any]) -> str:
        known = checked(options, (*_OPTIONS, "target", "schedule_name"))
        return options_text({**known, "function": self.function or None})

    def _schedule(self, schedule: Any,
                  options: dict[str, Any]) -> tuple[str | None, str, list[tuple[str, int]]]:
        """Its text, what messages call it, and the places in Python of its lines."""
        if schedule is None or isinstance(schedule, str):
            return schedule, "<schedule>", []
        if isinstance(schedule, os.PathLike):
            return read_text(schedule), path_text(schedule), []
        if not callable(schedule):
            raise Error(f"no schedule: {schedule!r}",
                        hint="a text, a pathlib.Path, or a function of a schedule object")
        asked = self._options(dict(options, schedule_name="<function>"))

        def ask(text: str, places: list[tuple[str, int]]) -> str:
            with _places(places):
                return native(_native.shown, self.text, self.path, text, asked)

        recorder = record(schedule, ask)
        return recorder.text(), "<function>", recorder.places()

    def _bounds(self, schedule: Any, sizes: Mapping[str, int], options: dict[str, Any]) -> Any:
        limits, options = apart_limits(checked(options, _BOUNDS_OPTIONS))
        text, name, places = self._schedule(schedule, options)
        given = self._options(dict(options, schedule_name=name))
        with _places(places):
            return answered(_native.bounds, self.text, self.path, text, given,
                            [scalar_text(n, v) for n, v in sizes.items()], **limits)


class _places:
    """Gives an error in a recorded schedule its place in the Python function."""

    def __init__(self, places: list[tuple[str, int]]):
        self.places = places

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if not isinstance(error, Error) or error.file != "<function>":
            return
        if 0 < error.line <= len(self.places):
            error._placed(*self.places[error.line - 1])


class Log:
    """The proof log of a lowering, which :func:`proviso.audit` and ``proviso audit`` check.

    >>> import pathlib, proviso, tempfile
    >>> log = proviso.parse('''
    ... @T.prim_func
    ... def f(A: T.Buffer((6,), "int32")):
    ...     for i in range(6):
    ...         A[i] = i
    ... ''').lower('sch.parallel(sch.loop("i"))').log
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = log.write(pathlib.Path(folder) / "log.tar")
    ...     file.read_bytes() == log.bytes, proviso.audit(file).verdict
    (True, 'VERIFIED')
    >>> log.audit(policy="E3", solvers=False).verdict
    'VERIFIED'
    """

    def __init__(self, code: _native.Lowered):
        self._code = code

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Writes it to a folder, or to one file (.tar, .tar.zst)."""
        name = path_text(path)
        native(self._code.write_log, name)
        return Path(name)

    @property
    def bytes(self) -> bytes:
        """The log as one file (.tar); the same lowering gives the same bytes."""
        with tempfile.TemporaryDirectory() as folder:
            return self.write(Path(folder) / "log.tar").read_bytes()

    def audit(self, **options: Any) -> Audit:
        """Audits it; options as :func:`proviso.audit`."""
        from .questions import audit

        with tempfile.TemporaryDirectory() as folder:
            return audit(self.write(Path(folder) / "log.tar"), **options)


class Lowered:
    """A lowered program with its proof. Threads may share it.

    A notebook shows its steps in a table, each with what it changes.

    >>> import pathlib, proviso, tempfile
    >>> lowered = proviso.parse('''
    ... @T.prim_func
    ... def f(A: T.Buffer((4,), "int32")):
    ...     for i in range(4):
    ...         with T.block("fill"):
    ...             vi = T.axis.spatial(4, i)
    ...             A[vi] = vi
    ... ''').lower('''
    ... sch.transform_layout("fill", "A", lambda i: [i // 3, i % 3], pad_value=0)
    ... sch.show()
    ... ''')
    >>> lowered
    <Lowered f: 11 steps>
    >>> print(lowered.text.splitlines()[-1].strip())
    A[i_0, i_1] = T.if_then_else(i_0 * 3 + i_1 < 4, i_0 * 3 + i_1, 0)
    >>> "for i in range(4)" in lowered.source, lowered.symbol
    (True, 'f')
    >>> lowered.steps[0]["call"], lowered.steps[0]["rule"]
    ('transform_layout', 'relayout')
    >>> print(lowered.diffs[-1].splitlines()[0])
    @@ line 6 @@
    >>> lowered.calls[0]["note"]
    'A: loop rewritten with a select'
    >>> lowered.duties, lowered.notes
    (['A: cell [i] of shape (4) is stored at [i // 3, i % 3]; padding holds 0 (written here)'], [])
    >>> "T.block" in lowered.shown, "def f_pack_A" in lowered.adapters
    (True, True)
    >>> "define" in lowered.code, "f_pack_A" in lowered.header
    (True, True)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lowered.so(pathlib.Path(folder) / "f.so", adapters=True).name
    'f.so'
    """

    def __init__(self, code: _native.Lowered):
        self._code = code
        self._report = native_json(code.report)

    @property
    def text(self) -> str:
        """The lowered program."""
        return native(self._code.text)

    @property
    def source(self) -> str:
        """The program that it was, in canonical form."""
        return native(self._code.source_text)

    @property
    def log(self) -> Log:
        """The proof log."""
        return Log(self._code)

    @property
    def code(self) -> str:
        """For the CPU LLVM's intermediate representation, for a GPU the text of its kernels."""
        return native(self._code.code)

    @property
    def header(self) -> str:
        """The C header that goes with :meth:`so`."""
        return native(self._code.header)

    @property
    def adapters(self) -> str:
        """The conversions of parameters with another layout, as programs; "" where there are none."""
        return native(self._code.adapters_text)

    @property
    def symbol(self) -> str:
        """The name of the function in C."""
        return str(self._report["symbol"])

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The steps of the proof: "rule", "site", how many "obligations" were proved, and the "call"
        of the schedule, with its "line", that asked for it."""
        return [dict(step) for step in self._report["steps"]]

    def _edits(self) -> list[list[dict[str, Any]]]:
        return list(native_json(self._code.edits))

    @property
    def diffs(self) -> list[str]:
        """What each step changes in the text of the program."""
        from .display import changes, diff_text

        return [diff_text(places) for places in changes(self.source, self._edits())]

    @property
    def calls(self) -> list[dict[str, Any]]:
        """What each call of the schedule did: "primitive", "steps", "line", …"""
        return list(self._report["calls"])

    @property
    def duties(self) -> list[str]:
        """What the proof asks of whoever calls the code, a line each."""
        return list(self._report["duties"])

    @property
    def notes(self) -> list[str]:
        """Warnings about the program and the lowering."""
        return list(self._report["notes"])

    @property
    def shown(self) -> str:
        """What the schedule has printed."""
        return str(self._report["shown"])

    def so(self, path: str | os.PathLike[str], *, adapters: bool = False) -> Path:
        """Writes a shared library, for the CPU; ``adapters=True`` with the conversions."""
        name = path_text(path)
        native(self._code.shared_library, name, bool(adapters))
        return Path(name)

    def run(self, arrays: Mapping[str, Any] | None = None, /, *, guarded: bool = True,
            **named: Any) -> dict[str, Any]:
        """Runs the code on NumPy arrays and numbers, by the names of the source's parameters.

        Gives the arrays that it stores to, by name; what is given is not changed. A parameter that
        is stored to may be left out: it begins with zeros. Parameters that the schedule has given
        another layout are converted, and back. ``guarded=False`` leaves out the checks of accesses
        and divisions, and runs parallel loops in parallel: then the caller keeps ``duties``, as in
        C. Cells of bfloat16 are uint16.

        >>> import numpy, proviso
        >>> lowered = proviso.parse('''
        ... @T.prim_func
        ... def f(n: T.int32, A: T.Buffer((n,), "int32"), B: T.Buffer((n,), "int32")):
        ...     for i in range(n):
        ...         B[i] = A[i] * 2
        ... ''').lower()
        >>> lowered.run(n=3, A=numpy.array([1, 2, 3], "int32"))["B"].tolist()
        [2, 4, 6]
        """
        try:
            import numpy
        except ImportError:
            raise Error("run needs NumPy, which is not installed", hint="pip install numpy") from None
        if arrays is not None and not isinstance(arrays, MappingABC):
            raise Error("the arrays are no dictionary", hint="run({\"A\": array}), or run(A=array)")
        if not isinstance(guarded, bool):
            raise Error("guarded is True or False", hint=f"not {guarded!r}")
        given = {one_text("the name of an array", name): value for name, value in (arrays or {}).items()}
        for name, value in named.items():
            if name in given:
                raise Error(f"'{name}' is given twice")
            given[name] = value
        numbers = [scalar_text(n, v) for n, v in given.items() if _is_number(v)]
        shaped = {n: numpy.asarray(v) for n, v in given.items() if not _is_number(v)}
        for name, value in given.items():
            if numpy.ma.is_masked(value):
                raise Error(f"'{name}' has masked cells", hint=f"{name}.filled(VALUE)")
        shapes = {n: list(a.shape) for n, a in shaped.items()}
        memory: dict[str, tuple[str, Any]] = {}
        out = {}
        for p in native_json(self._code.parameters, shapes, numbers):
            name, dtype = p["name"], numpy.dtype(_TYPES.get(p["type"], p["type"]))
            array = shaped.get(name)
            if array is None and not p["stored"]:
                raise Error(f"no value for parameter '{name}'", hint=f"{name}=ARRAY")
            if array is not None and array.dtype != dtype:
                raise Error(f"'{name}' has cells of {array.dtype}, and the program of {p['type']}",
                            hint=f"{name}.astype({str(dtype)!r})")
            if array is not None and list(array.shape) != p["shape"]:
                raise Error(f"'{name}' has shape {list(array.shape)}, and the program {p['shape']}")
            if array is None:
                array = numpy.zeros(p["shape"], dtype)
            elif p["stored"]:
                array = numpy.array(array, order="C")
            else:
                array = numpy.require(array, requirements=["C", "ALIGNED"])  # copied only where need be
            memory[name] = (p["type"], array)
            if p["stored"]:
                out[name] = array
        native(self._code.run, memory, numbers, guarded)
        return out

    def to_tvm(self) -> Any:
        """The lowered program as a PrimFunc of TVM; see :meth:`Program.to_tvm`.

        >>> function = lowered.to_tvm()  # doctest: +SKIP
        """
        from .tvm import lowered_to_tvm

        return lowered_to_tvm(self)

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        from .display import lowered_html

        return lowered_html(self)

    def __repr__(self) -> str:
        return f"<Lowered {self._report['function']}: {len(self.steps)} steps>"


def _is_number(value: Any) -> bool:
    return getattr(value, "ndim", 0) == 0 and not isinstance(value, str) and (
        hasattr(value, "__index__") or hasattr(value, "__float__"))
