"""Calls of the native module, whose failures are exceptions of this package."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Sequence, TypeVar

from . import _native
from .errors import Error, of_json

T = TypeVar("T")

_MOST_BYTES = 16 << 20  # of a file that is read, as the commands read it

# Whole numbers among the options, with the largest of each: as the commands take them.
_NUMBERS = {"solver_seconds": 86_400, "solver_memory": 1_048_576, "solver_effort": 1_000,
            "seconds": 86_400, "memory": 1_048_576, "jobs": 1_024}
SOLVER_LIMITS = ("solver_seconds", "solver_memory", "solver_effort")
APART_LIMITS = ("seconds", "memory")


def native(function: Callable[..., T], *arguments: Any) -> T:
    for argument in arguments:
        if isinstance(argument, str):
            _encodable(argument)
    try:
        return function(*arguments)
    except _native.Failed as failed:
        raise of_json(str(failed)) from None


def native_json(function: Callable[..., str], *arguments: Any) -> Any:
    return json.loads(native(function, *arguments))


def answered(function: Callable[..., str], *arguments: Any, seconds: int | None = None,
             memory: int | None = None) -> Any:
    """The same; with a limit, in a process of its own."""
    if seconds is None and memory is None:
        return native_json(function, *arguments)
    return json.loads(_apart(function.__name__, arguments, seconds or 120, memory or 8192))


def _apart(function: str, arguments: Sequence[Any], seconds: int, memory: int) -> str:
    if not sys.executable:
        raise Error("there is no Python to start a process with", hint="leave out seconds and memory")
    asked = json.dumps({"function": function, "arguments": arguments, "seconds": seconds, "memory": memory})
    child = str(Path(__file__).with_name("_child.py"))
    with subprocess.Popen([sys.executable, "-B", child], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        try:
            # Of the clock 20 times as many, for what waits for ever.
            out, said = process.communicate(asked.encode(), timeout=20 * seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise _no_answer(f"it took more than {20 * seconds} seconds") from None
        except BaseException:  # Ctrl-C, say
            process.kill()
            process.wait()
            raise
    if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise _no_answer(f"it took more than {seconds} seconds of processor time")
    told = json.loads(out) if process.returncode == 0 and out else {}
    if "answer" in told:
        return str(told["answer"])
    if "failed" in told:
        raise of_json(told["failed"])
    if "memory" in told:
        raise _no_answer(f"it would take more than {memory} MiB of address space")
    last = said.decode(errors="replace").strip().splitlines()
    raise _no_answer(f"its process ended with {process.returncode}: {last[-1] if last else 'no word'}")


def _no_answer(why: str) -> Error:
    return Error(f"no answer: {why}", hint="raise seconds or memory",
                 details={"verdict": "UNKNOWN"})


def checked(options: dict[str, Any], known: Sequence[str]) -> dict[str, Any]:
    """Options that are known and of the right kind, without those that are None."""
    out: dict[str, Any] = {}
    for name, value in options.items():
        if name not in known:
            raise Error(f"no option {name!r}", hint="there are: " + ", ".join(known))
        if value is None:
            continue
        if name in _NUMBERS:
            least, most = (0 if name == "jobs" else 1), _NUMBERS[name]
            number = whole(name, value)
            if not least <= number <= most:
                raise Error(f"{name} is a whole number from {least} to {most}", hint=f"not {value!r}")
            out[name] = number
        elif name == "cache":
            out[name] = path_text(value)
        elif name in ("flatten", "explain", "validate", "solvers", "strict"):
            if not isinstance(value, bool):
                raise Error(f"{name} is True or False", hint=f"not {value!r}")
            out[name] = value
        else:
            out[name] = one_text(name, value)
    return out


def apart_limits(options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Those that limit a process of its own, and the others."""
    return ({k: v for k, v in options.items() if k in APART_LIMITS},
            {k: v for k, v in options.items() if k not in APART_LIMITS})


def whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise Error(f"{name} is a whole number", hint=f"not {value!r}")
    return int(value.__index__())


def one_text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise Error(f"{name} is a text", hint=f"not {value!r}")
    return _encodable(value)


def _encodable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as why:
        raise Error(f"a text has a character that is no Unicode: {why}") from None
    return text


def path_text(path: Any) -> str:
    """A path as the native module takes it."""
    try:
        out = os.fsdecode(path)
    except TypeError:
        raise Error(f"no path: {path!r}", hint="a text or a pathlib.Path") from None
    if "\0" in out or not out:
        raise Error(f"no path: {path!r}")
    return _encodable(out)


def options_text(options: dict[str, Any]) -> str:
    """Options as JSON, without those that are not given."""
    return json.dumps({key: value for key, value in options.items() if value is not None})


def read_text(path: Any) -> str:
    name = path_text(path)
    try:
        with open(name, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Error(f"cannot read {name}: it is no regular file")
            text = file.read(_MOST_BYTES + 1)
        if len(text) > _MOST_BYTES:
            raise Error(f"cannot read {name}: it is larger than {_MOST_BYTES >> 20} MiB")
        return text.decode()
    except (OSError, UnicodeDecodeError) as why:
        raise Error(f"cannot read {name}: {why}") from None


def scalar_text(name: str, value: Any) -> str:
    """NAME=VALUE of a number, as the commands read it."""
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return f"{name}={'True' if value else 'False'}"
    try:
        return f"{name}={value.__index__()}"
    except (AttributeError, TypeError):  # which an array of one float32 has, and raises
        pass
    if hasattr(value, "__float__"):
        number = float(value)
        if number != number or number in (float("inf"), float("-inf")):
            raise Error(f"{name} is {number}", hint="give a finite number")
        return f"{name}={number!r}"
    raise Error(f"{name} is no number: {value!r}", hint="give an int or a float")
