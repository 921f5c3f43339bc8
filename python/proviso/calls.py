"""Calls of the native module, whose failures are exceptions of this package."""

from __future__ import annotations

import json
import os
from typing import Any, Callable, TypeVar

from . import _native
from .errors import Error, of_json

T = TypeVar("T")


def native(function: Callable[..., T], *arguments: Any) -> T:
    try:
        return function(*arguments)
    except _native.Failed as failed:
        raise of_json(str(failed)) from None


def native_json(function: Callable[..., str], *arguments: Any) -> Any:
    return json.loads(native(function, *arguments))


def options_text(options: dict[str, Any]) -> str:
    """Options as JSON, without those that are not given."""
    return json.dumps({key: value for key, value in options.items() if value is not None})


def read_text(path: str | os.PathLike[str]) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as why:
        raise Error(f"cannot read {os.fspath(path)}: {why}") from None


def scalar_text(name: str, value: Any) -> str:
    """NAME=VALUE of a number, as the commands read it."""
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        return f"{name}={'True' if value else 'False'}"
    if hasattr(value, "__index__"):
        return f"{name}={value.__index__()}"
    if hasattr(value, "__float__"):
        number = float(value)
        if number != number or number in (float("inf"), float("-inf")):
            raise Error(f"{name} is {number}", hint="give a finite number")
        return f"{name}={number!r}"
    raise Error(f"{name} is no number: {value!r}", hint="give an int or a float")
