"""Questions about programs, expressions and proof logs."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any, Mapping, Sequence

from . import _native
from .calls import APART_LIMITS, SOLVER_LIMITS, answered, apart_limits, checked, one_text, options_text, path_text
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

    def _facts(self) -> list[tuple[str, Any]]:
        """What a notebook shows beside the verdict."""
        keep = ("answers", "conditions", "inverse", "set", "formula", "values", "exact", "why")
        return [(key, json.dumps(self.details[key], ensure_ascii=False)) for key in keep if key in self.details]

    def _repr_html_(self) -> str:
        from .display import answer_html

        return answer_html(self, self._facts())


@dataclass(frozen=True)
class Proof(Answer):
    """The answer of :func:`prove`."""

    #: Who answered: a decider, "certificate", or a solver.
    by: str
    #: Where it is refuted: values of variables that break the claim.
    values: dict[str, str]
    #: Why it is not decided.
    why: str

    def _facts(self) -> list[tuple[str, Any]]:
        return [("by", self.by), ("why", self.why), ("values", self.values)]


@dataclass(frozen=True)
class Simplified(Answer):
    """The answer of :func:`simplify`."""

    #: The expression.
    result: str

    def __str__(self) -> str:
        return self.result

    def _facts(self) -> list[tuple[str, Any]]:
        return [("result", self.result)]


@dataclass(frozen=True)
class Comparison(Answer):
    """The answer of :func:`check`."""

    #: What goes wrong, or why nothing is known.
    reason: str
    #: Where it is refuted: inputs on which the interpreter has seen the difference.
    inputs: str
    #: Whether the answer holds at all sizes that callers may pass.
    all_sizes: bool

    def _facts(self) -> list[tuple[str, Any]]:
        return [("reason", self.reason), ("inputs", self.inputs),
                ("for", "all sizes" if self.all_sizes else "some sizes")]


@dataclass(frozen=True)
class Audit(Answer):
    """The answer of :func:`audit`."""

    #: What has been shown; empty unless verified.
    theorem: str
    #: What ``proviso audit`` prints.
    text: str = field(repr=False)

    def _facts(self) -> list[tuple[str, Any]]:
        return [("audit", self.text)]


@dataclass(frozen=True)
class Bounds(Answer):
    """The answer of :func:`bounds`."""

    #: What ``proviso bounds`` prints.
    text: str = field(repr=False)

    def __str__(self) -> str:
        return self.text

    def _facts(self) -> list[tuple[str, Any]]:
        return [("bounds", self.text)]


def _question(key: str, text: str, vars: Mapping[str, str] | None, given: Sequence[str]) -> dict[str, Any]:
    return {key: one_text(key, text), "vars": _by_name("vars", vars), "given": _texts("given", given)}


def _texts(name: str, given: Sequence[str]) -> list[str]:
    if isinstance(given, str):
        raise Error(f"{name} is a text", hint=f"a list of texts: {name}=[{given!r}]")
    return [one_text(name, one) for one in given]


def _by_name(name: str, given: Mapping[str, Any] | None) -> dict[str, str]:
    if given is not None and not isinstance(given, Mapping):
        raise Error(f"{name} is no dictionary", hint=f"{name}={{\"NAME\": …}}")
    return {one_text(name, key): one_text(name, str(value)) for key, value in (given or {}).items()}


def _json(value: Any) -> str:
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as why:
        raise Error(f"an option has a value that is no text, number or list: {why}") from None


def _answer(command: str, question: dict[str, Any], options: dict[str, Any]) -> Any:
    limits, others = apart_limits(checked(
        options, (*SOLVER_LIMITS, *APART_LIMITS, "cache", "explain") if command != "check" else APART_LIMITS))
    licences = question.pop("licences", None)
    return answered(_native.answer, command, _json(question),
                    options_text({**others, "licences": licences or None}), **limits)


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
    told = _answer("prove", _question("goal", goal, vars, given), {"explain": explain, **limits})
    return Proof(told["verdict"], told["exit_code"], told, told["by"], told["model"],
                 told.get("why", ""))


def simplify(expr: str, *, given: Sequence[str] = (), vars: Mapping[str, str] | None = None,
             licences: Sequence[str] = (), explain: bool = False, **limits: Any) -> Simplified:
    """The expression simplified under the facts; the result is proved equal.

    >>> import proviso
    >>> str(proviso.simplify("(x * 8 + 3) // 4", given=["x >= 0", "x < 1000"]))
    'x * 2'
    """
    question = {**_question("expr", expr, vars, given), "licences": _texts("licences", licences)}
    told = _answer("simplify", question, {"explain": explain, **limits})
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
    line = {"solve": one_text("form", form), **_question(key, text, vars, given)}
    if variable:
        line["for"] = one_text("variable", variable)
    if extents:
        line["extents"] = _by_name("extents", extents)
    if len(shape) > 0:
        line["shape"] = [one_text("shape", str(extent)) for extent in shape]
    told = _answer("solve", line, limits)
    verdict = {0: "PROVED", 1: "REFUTED"}.get(told["exit_code"], "UNKNOWN")
    return Answer(verdict, told["exit_code"], told)


def check(before: Program | str | os.PathLike[str], after: Program | str | os.PathLike[str], *,
          function: str = "", **options: Any) -> Comparison:
    """Does the second program refine the first? Programs, texts or paths, as :func:`parse` takes them.

    Options are those of requests to ``proviso serve``: ``set={"n": 8}``, ``tests``, ``no_proof``,
    ``float``, … With ``seconds`` (of processor time) or ``memory`` (MiB of address space) the comparison
    runs in a process of its own, as there.

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
        request["function"] = one_text("function", function)
    limits = {name: options.pop(name) for name in APART_LIMITS if name in options}
    if options:
        request["options"] = options
    told = _answer("check", request, limits)
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
    told = program._bounds(schedule, _numbers(sizes), options)
    return Bounds("PROVED" if told["exact"] else "UNKNOWN", 0 if told["exact"] else 3, told,
                  told["text"])


def _numbers(sizes: Mapping[str, int] | None) -> dict[str, int]:
    if sizes is not None and not isinstance(sizes, Mapping):
        raise Error("sizes is no dictionary", hint='sizes={"n": 8}')
    return dict(sizes or {})


def audit(log: str | os.PathLike[str], *, policy: str = "E2", validate: bool = True,
          solvers: bool = True, strict: bool = False, jobs: int = 0,
          outputs: Sequence[str | os.PathLike[str]] = (), **limits: Any) -> Audit:
    """Everything in a proof log again, by other means; see ``proviso audit``.

    ``outputs`` are emitted files that the log must name. The program ``proviso-audit`` does the
    same and links nothing that looks for proofs.

    >>> import proviso
    >>> proviso.audit("no-such-log").verdict
    'BROKEN'
    """
    import hashlib

    known = ("E1", "E2", "E3", "E1+v", "E2+v", "E3+v")
    if policy not in known:
        raise Error(f"no policy {policy!r}", hint="there are: " + ", ".join(known))
    if isinstance(outputs, (str, bytes)):
        raise Error("outputs is a text", hint=f"a list of paths: outputs=[{outputs!r}]")
    digests = {}
    for path in map(path_text, outputs):
        try:
            with open(path, "rb") as file:
                digests[os.path.basename(path)] = hashlib.sha256(file.read()).hexdigest()
        except OSError as why:
            raise Error(f"cannot read {path}: {why}") from None
    options = checked({"validate": validate, "solvers": solvers, "strict": strict, "jobs": jobs, **limits},
                      ("validate", "solvers", "strict", "jobs", "solver_seconds", "solver_memory", *APART_LIMITS))
    apart, others = apart_limits(options)
    told = answered(_native.audit, path_text(log), options_text({**others, "policy": policy, "outputs": digests}),
                    **apart)
    verdict = {0: "VERIFIED", 1: "FAILED", 2: "BROKEN", 3: "UNKNOWN"}[told["exit_code"]]
    return Audit(verdict, told["exit_code"], told, str(told.get("theorem", "")), told["text"])
