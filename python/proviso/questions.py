"""Questions about programs, expressions and proof logs."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any, Mapping, Sequence

from . import _native
from .calls import native_json, options_text
from .errors import Error
from .programs import Program, parse


@dataclass(frozen=True)
class Answer:
    """An answer; true where it is a pass. What is not decided is none."""

    #: "PROVED", "REFUTED", "UNKNOWN", …: as the command prints it.
    verdict: str
    #: That of the command: 0 fine, 1 refuted, 3 not decided.
    exit_code: int
    #: All that the command says with ``--json``.
    details: dict[str, Any] = field(repr=False)

    def __bool__(self) -> bool:
        return self.exit_code == 0


@dataclass(frozen=True)
class Proof(Answer):
    """The answer of :func:`prove`."""

    #: Who answered: a decider, "certificate", or a solver.
    by: str
    #: Where it is refuted: values of variables that break the claim.
    values: dict[str, str]
    #: Why it is not decided.
    why: str


@dataclass(frozen=True)
class Simplified(Answer):
    """The answer of :func:`simplify`."""

    #: The expression.
    result: str

    def __str__(self) -> str:
        return self.result


@dataclass(frozen=True)
class Comparison(Answer):
    """The answer of :func:`check`."""

    #: What goes wrong, or why nothing is known.
    reason: str
    #: Where it is refuted: inputs on which the interpreter has seen the difference.
    inputs: str
    #: Whether the answer holds at all sizes that callers may pass.
    all_sizes: bool


@dataclass(frozen=True)
class Audit(Answer):
    """The answer of :func:`audit`."""

    #: What has been shown; empty unless verified.
    theorem: str
    #: What ``proviso audit`` prints.
    text: str = field(repr=False)


@dataclass(frozen=True)
class Bounds(Answer):
    """The answer of :func:`bounds`."""

    #: What ``proviso bounds`` prints.
    text: str = field(repr=False)

    def __str__(self) -> str:
        return self.text


def _question(key: str, text: str, vars: Mapping[str, str] | None, given: Sequence[str]) -> str:
    return json.dumps({key: text, "vars": dict(vars or {}), "given": _texts("given", given)})


def _texts(name: str, given: Sequence[str]) -> list[str]:
    if isinstance(given, str):
        raise Error(f"{name} is a text", hint=f"a list of texts: {name}=[{given!r}]")
    return list(given)


def _limits(limits: dict[str, Any]) -> dict[str, Any]:
    known = ("solver_seconds", "solver_memory", "solver_effort", "cache")
    for name, value in limits.items():
        if name not in known:
            raise Error(f"no option {name!r}", hint="there are: " + ", ".join(known))
        if name == "cache":
            limits[name] = os.fspath(value)
        elif not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise Error(f"{name} is a whole number from 1", hint=f"not {value!r}")
    return limits


def prove(goal: str, *, given: Sequence[str] = (), vars: Mapping[str, str] | None = None,
          explain: bool = False, **limits: Any) -> Proof:
    """Is the goal true wherever the facts are? ``vars`` gives types; the others are int32.

    >>> import proviso
    >>> proviso.prove("x * 8 + 3 > x", given=["x >= 0", "x < 1000"]).verdict
    'PROVED'
    >>> answer = proviso.prove("x * x > x", given=["x >= 0"])
    >>> answer.verdict, sorted(answer.values)
    ('REFUTED', ['x'])
    """
    options = options_text({"explain": explain or None, **_limits(limits)})
    told = native_json(_native.answer, "prove", _question("goal", goal, vars, given), options)
    return Proof(told["verdict"], told["exit_code"], told, told["by"], told["model"],
                 told.get("why", ""))


def simplify(expr: str, *, given: Sequence[str] = (), vars: Mapping[str, str] | None = None,
             licences: Sequence[str] = (), explain: bool = False, **limits: Any) -> Simplified:
    """The expression simplified under the facts; the result is proved equal.

    >>> import proviso
    >>> str(proviso.simplify("(x * 8 + 3) // 4", given=["x >= 0", "x < 1000"]))
    'x * 2'
    """
    options = options_text({"explain": explain or None,
                            "licences": _texts("licences", licences) or None, **_limits(limits)})
    told = native_json(_native.answer, "simplify", _question("expr", expr, vars, given), options)
    return Simplified(told["verdict"], told["exit_code"], told, told["result"])


def solve(form: str, text: str, *, variable: str = "", given: Sequence[str] = (),
          vars: Mapping[str, str] | None = None, extents: Mapping[str, Any] | None = None,
          shape: Sequence[Any] = (), **limits: Any) -> Answer:
    """Bounds of a variable, projections of a condition, inverses of maps, sets of values.

    ``form`` is "bounds" or "project" of a condition for ``variable``, "invert" of an index map or
    "set" of expressions whose variables have ``extents``. ``details`` has what was found.

    >>> import proviso
    >>> found = proviso.solve("bounds", "2 * x + 1 < n", variable="x", given=["0 <= n", "n < 100"])
    >>> found.details["answers"][0]["formula"]
    'x <= (n - 2) // 2'
    >>> proviso.solve("invert", "i -> i // 4, i % 4", extents={"i": 16}).details["inverse"]
    ['p0 * 4 + p1']
    """
    key = {"invert": "map", "set": "expr"}.get(form, "condition")
    line: dict[str, Any] = {"solve": form, key: text, "vars": dict(vars or {}),
                            "given": _texts("given", given)}
    if variable:
        line["for"] = variable
    if extents:
        line["extents"] = {name: str(extent) for name, extent in extents.items()}
    if shape:
        line["shape"] = [str(extent) for extent in shape]
    told = native_json(_native.answer, "solve", json.dumps(line), options_text(_limits(limits)))
    verdict = {0: "PROVED", 1: "REFUTED"}.get(told["exit_code"], "UNKNOWN")
    return Answer(verdict, told["exit_code"], told)


def check(before: Program | str | os.PathLike[str], after: Program | str | os.PathLike[str], *,
          function: str = "", **options: Any) -> Comparison:
    """Does the second program refine the first? Programs, texts or paths, as :func:`parse` takes them.

    Options are those of requests to ``proviso serve``: ``set={"n": 8}``, ``tests``, ``no_proof``,
    ``float``, … The comparison runs in this process.

    >>> import proviso
    >>> one = proviso.parse('''
    ... @T.prim_func
    ... def f(A: T.Buffer((4,), "int32")):
    ...     for i in range(4):
    ...         A[i] = i
    ... ''')
    >>> proviso.check(one, str(one).replace("range(4)", "range(3)")).verdict
    'REFUTED'
    >>> bool(proviso.check(one, one))
    True
    """
    request: dict[str, Any] = {"before": _program(before), "after": _program(after)}
    if function:
        request["function"] = function
    if options:
        request["options"] = options
    told = native_json(_native.answer, "check", json.dumps(request), "{}")
    return Comparison(told["verdict"], told["exit_code"], told, told["reason"],
                      told.get("inputs", ""), bool(told["all_sizes"]))


def _program(what: Program | str | os.PathLike[str]) -> str:
    return (what if isinstance(what, Program) else parse(what)).text


def bounds(program: Program | str | os.PathLike[str], schedule: Any = None, *,
           sizes: Mapping[str, int] | None = None, **options: Any) -> Bounds:
    """What each stage requests, computes, stores and allocates, as the schedule leaves the program.

    >>> import proviso
    >>> b = proviso.bounds('''
    ... @T.prim_func
    ... def f(A: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    ...     B = T.alloc_buffer((4,), "int32")
    ...     for i in range(4):
    ...         B[i] = A[i]
    ...     for i in range(4):
    ...         C[i] = B[i]
    ... ''')
    >>> b.details["exact"], "B" in str(b)
    (True, True)
    """
    if not isinstance(program, Program):
        program = parse(program)
    told = program._bounds(schedule, dict(sizes or {}), options)
    return Bounds("PROVED" if told["exact"] else "UNKNOWN", 0 if told["exact"] else 3, told,
                  told["text"])


def audit(log: str | os.PathLike[str], *, policy: str = "E2", validate: bool = True,
          solvers: bool = True, strict: bool = False, jobs: int = 0,
          outputs: Sequence[str | os.PathLike[str]] = ()) -> Audit:
    """Everything in a proof log again, by other means; see ``proviso audit``.

    ``outputs`` are emitted files that the log must name. The program ``proviso-audit`` does the
    same and links nothing that looks for proofs.

    >>> import proviso
    >>> proviso.audit("no-such-log").verdict
    'BROKEN'
    """
    import hashlib

    digests = {}
    for path in outputs:
        with open(path, "rb") as file:
            digests[os.path.basename(path)] = hashlib.sha256(file.read()).hexdigest()
    known = ("E1", "E2", "E3", "E1+v", "E2+v", "E3+v")
    if policy not in known:
        raise Error(f"no policy {policy!r}", hint="there are: " + ", ".join(known))
    told = native_json(_native.audit, os.fspath(log), options_text(
        {"policy": policy, "validate": validate, "solvers": solvers, "strict": strict,
         "jobs": jobs, "outputs": digests}))
    verdict = {0: "VERIFIED", 1: "FAILED", 2: "BROKEN", 3: "UNKNOWN"}[told["exit_code"]]
    return Audit(verdict, told["exit_code"], told, str(told.get("theorem", "")), told["text"])
