"""What goes wrong, as exceptions."""

from __future__ import annotations

import json
import linecache
from typing import Any


_LONGEST = 160  # characters of a line that are shown


class Error(Exception):
    """Input that is wrong, or work that cannot be done: the message, its place, and what would help.

    >>> import proviso
    >>> try:
    ...     proviso.prove("x + > 1")
    ... except proviso.Error as e:
    ...     print(e.verdict, e.file, e.line, e.column)
    ...     print(e.excerpt)
    ERROR <goal> 1 5
    x + > 1
        ^
    """

    #: "ERROR": the input is wrong. "REFUTED", "UNKNOWN": what was asked for is refused.
    verdict: str
    #: What is wrong, in one sentence.
    message: str
    #: Where: a file or what stands for one, line and column from 1; "" and 0 where nothing is known.
    file: str
    line: int
    column: int
    #: The line of that place as it is written; "" where it is not known.
    source_line: str
    #: What would help; may be empty.
    hint: str
    #: Further facts.
    notes: list[str]
    #: Values that break what was to be proved, by the names of variables.
    values: dict[str, str]
    #: All that is known, as ``proviso lower --json`` prints it.
    details: dict[str, Any]

    def __init__(self, message: str, *, hint: str = "", details: dict[str, Any] | None = None):
        super().__init__(message)
        self.details = details or {}
        told = self.details.get("diagnostic", {})
        self.message = message
        self.verdict = self.details.get("verdict", "ERROR")
        self.file = told.get("file", "")
        self.line = told.get("line", 0)
        self.column = told.get("column", 0)
        self.source_line = self.details.get("source_line", "")
        self.hint = told.get("hint", hint)
        self.notes = list(told.get("notes", []))
        model = self.details.get("model", {})
        self.values = dict(model) if isinstance(model, dict) else {}

    def __reduce__(self) -> Any:
        # As processes hand it to each other.
        return _again, (type(self), self.message, self.hint, self.details, self.__dict__)

    @property
    def place(self) -> str:
        """Where: "FILE:LINE:COLUMN", "FILE", or "" where nothing is known."""
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file

    @property
    def excerpt(self) -> str:
        """The line that is meant, and a caret below the place; "" where it is not known."""
        if not self.line or not self.source_line.strip():
            return ""
        line, at = self.source_line, max(0, self.column - 1)
        start, end = "", ""
        if len(line) > _LONGEST:  # what is around the place
            first = max(0, min(at - _LONGEST // 2, len(line) - _LONGEST))
            start, end = "... " if first > 0 else "", " ..." if first + _LONGEST < len(line) else ""
            line, at = start + line[first:first + _LONGEST] + end, len(start) + at - first
        blank = "".join("\t" if c == "\t" else " " for c in line[:at]).ljust(at)
        return f"{line}\n{blank}^"

    def _placed(self, file: str, line: int) -> None:
        """The place is a line of Python's that has made the line which is meant."""
        self.file, self.line = file, line
        self.source_line = linecache.getline(file, line).rstrip("\n")
        self.column = 1 + len(self.source_line) - len(self.source_line.lstrip())

    def _repr_html_(self) -> str:
        from .display import error_html

        return error_html(self)

    def _render_traceback_(self) -> list[str]:
        from .display import error_lines

        return error_lines(self)

    def __str__(self) -> str:
        lines = [f"{self.place}: {self.message}" if self.place else self.message]
        lines += ["  " + line for line in self.excerpt.splitlines()]
        lines += [f"  note: {note}" for note in self.notes]
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)


class Refused(Error):
    """A call of a schedule that is refuted, or that nobody could prove: the program stays as it was.

    >>> import proviso
    >>> program = proviso.parse('''
    ... @T.prim_func
    ... def total(A: T.Buffer((4,), "int32"), S: T.Buffer((1,), "int32")):
    ...     S[0] = 0
    ...     for i in range(4):
    ...         S[0] = S[0] + A[i]
    ... ''')
    >>> try:
    ...     program.lower('sch.parallel(sch.loop("i"))')
    ... except proviso.Refused as e:
    ...     print(e.primitive, e.verdict, e.place, sorted(e.values))
    parallel REFUTED <schedule>:1:1 ['i', 'i_1']
    """

    #: The primitive that was called.
    primitive: str

    def __init__(self, message: str, *, hint: str = "", details: dict[str, Any] | None = None):
        super().__init__(message, hint=hint, details=details)
        self.primitive = self.details.get("primitive", "")


def _again(kind: type[Error], message: str, hint: str, details: dict[str, Any], known: dict[str, Any]) -> Error:
    out = kind(message, hint=hint, details=details)
    out.__dict__.update(known)
    return out


def of_json(text: str) -> Error:
    """The exception that the native module means."""
    details = json.loads(text)
    message = details["diagnostic"]["message"]
    if "primitive" in details:
        return Refused(message, details=details)
    return Error(message, details=details)
