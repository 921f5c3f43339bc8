"""What goes wrong, as exceptions."""

from __future__ import annotations

import json
from typing import Any


class Error(Exception):
    """Input that is wrong, or work that cannot be done: the message, its place, and what would help.

    >>> import proviso
    >>> try:
    ...     proviso.prove("x + > 1")
    ... except proviso.Error as e:
    ...     print(e.verdict, e.file, e.line, e.column)
    ERROR <goal> 1 5
    """

    #: "ERROR": the input is wrong. "REFUTED", "UNKNOWN": what was asked for is refused.
    verdict: str
    #: What is wrong, in one sentence.
    message: str
    #: Where: a file or what stands for one, line and column from 1; "" and 0 where nothing is known.
    file: str
    line: int
    column: int
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
        self.hint = told.get("hint", hint)
        self.notes = list(told.get("notes", []))
        model = self.details.get("model", {})
        self.values = dict(model) if isinstance(model, dict) else {}

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else ""
        if self.file and not self.line:
            place = f"{self.file}: "
        lines = [place + self.message]
        lines += [f"  note: {note}" for note in self.notes]
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)


class Refused(Error):
    """A call of a schedule that is refuted, or that nobody could prove: the program stays as it was."""

    #: The primitive that was called.
    primitive: str

    def __init__(self, message: str, *, details: dict[str, Any]):
        super().__init__(message, details=details)
        self.primitive = details.get("primitive", "")


def of_json(text: str) -> Error:
    """The exception that the native module means."""
    details = json.loads(text)
    message = details["diagnostic"]["message"]
    if "primitive" in details:
        return Refused(message, details=details)
    return Error(message, details=details)
