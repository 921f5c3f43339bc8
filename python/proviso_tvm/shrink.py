"""Makes what is refuted small: the program, the steps of its schedule, and the passes that run.

Each candidate runs in a process of its own, since TVM may crash on it. It is kept where the same
step is still refuted for the same cause. Deterministic; the number of candidates is bounded.
"""

import json
import os
import select
import signal
from dataclasses import dataclass, field, replace

import tvm
from tvm import s_tir

from .checker import DEFAULTS, NoChecker, class_of
from .confirm import compiled_says
from .export import export
from .gpu import lower_for_gpu, on_gpu
from .layout import relation
from .pairs import Pair, cause_of
from .passes import ValidatePasses
from .source import NotASource, function_of, parse, reductions, size, text_of, tree_of
from .steps import repeat

_SECONDS = 20  # of one candidate
TRIES = 200


@dataclass
class State:
    """What is run: a program, steps, and the passes that are not left out (None: all)."""

    source: object  # a module, where its text cannot be read again
    tree: object = None
    steps: tuple = ()
    passes: object = None  # frozenset of names, or None
    target: str = "llvm"

    def module(self):
        if self.tree is None:
            return self.source
        return tvm.IRModule({"main": function_of(self.tree)})

    def size(self):
        nodes, numbers = size(self.tree) if self.tree is not None else (0, 0)
        steps = sum(len(str(s)) for s in self.steps)
        return (len(self.steps), len(self.passes) if self.passes is not None else 999,
                nodes + steps, numbers)


@dataclass
class Finding:
    """A refuted pair made small, or why not."""

    step: str
    cause: str
    source: str = ""
    steps: list = field(default_factory=list)
    passes: list = field(default_factory=list)  # for a pass: those that have to run
    before: str = ""
    after: str = ""
    reason: str = ""
    inputs: str = ""
    compiled: str = ""
    did: list = field(default_factory=list)
    tries: int = 0
    kept: int = 0
    ended: str = ""
    program: str = ""
    count: int = 1

    def size(self):
        return len(self.source) + 40 * len(self.steps), self.source


class _Only(ValidatePasses):
    """Runs some passes only, and keeps the pairs of one of them."""

    def __init__(self, step, passes):
        super().__init__(checker=NoChecker(), only={step})
        self.passes = passes
        self.ran = []

    def should_run(self, mod, info):
        return self.passes is None or "." not in info.name or info.name in self.passes

    def run_after_pass(self, mod, info):
        if "." in info.name:
            self.ran.append(info.name)
        super().run_after_pass(mod, info)


def _compile(mod, step, passes, target):
    only = _Only(step, passes)
    try:
        with tvm.transform.PassContext(instruments=[only]):
            if target == "cuda":
                lower_for_gpu(on_gpu(mod))
            else:
                tvm.compile(mod, target=target)
    except Exception:  # a later pass that needs one that was left out: the pair is there
        if not only._pairs:
            raise
    return only


def _scheduled(state, step):
    """The module after the steps, and the pair of the last one where that is the finding."""
    mod = state.module()
    if not state.steps:
        return mod, []
    sch = s_tir.Schedule(mod)
    for one in state.steps[:-1]:
        repeat(sch, one)
    before = sch.mod["main"]
    last = state.steps[-1]
    repeat(sch, last)
    if "." in step or last.name != step:
        return sch.mod, []
    after, layouts = sch.mod["main"], None
    if step == "transform_layout":
        words = [None, *last.args[1:]]
        layouts = relation(before, after, *words, **dict(last.keywords))
    return sch.mod, [(before, after, layouts)]


def _texts(state, step):
    """The texts of each pair of the step, and the names of the passes that ran."""
    mod, pairs = _scheduled(state, step)
    if "." in step:
        only = _compile(mod, step, state.passes, state.target)
        return {"pairs": [p.asked for p in only._pairs if not p.not_exported],
                "passes": only.ran}
    out = []
    for before, after, layouts in pairs:
        out.append([export(before, "main").plain, export(after, "main", layouts).plain])
    return {"pairs": out, "passes": []}


def forked(work, seconds=_SECONDS):
    """What `work` gives as JSON, made in a process of its own; None where that ends early."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 2)
            os.dup2(quiet, 1)
            with os.fdopen(write, "w", encoding="utf-8") as out:
                json.dump(work(), out)
        except BaseException:  # refused by TVM: nothing is written
            os._exit(1)
        os._exit(0)
    os.close(write)
    text, ended = b"", False
    while True:
        ready, _, _ = select.select([read], [], [], seconds)
        if not ready:
            os.kill(child, signal.SIGKILL)
            ended = True
            break
        part = os.read(read, 1 << 16)
        if not part:
            break
        text += part
    os.close(read)
    _, status = os.waitpid(child, 0)
    return None if ended or status != 0 else json.loads(text)


class Shrinker:
    """Shrinks the findings of a campaign. `ask(before, after)` gives an answer of the checker."""

    def __init__(self, server, tries=TRIES):
        self.server = server
        self.tries = tries

    def _ask(self, before, after):
        options = dict(DEFAULTS, no_proof=True)
        return self.server.ask({"before": before, "after": after, "options": options})

    def _look(self, state, finding):
        """The refuted pair of a state: (before, after, answer, passes, step), or None."""
        made = forked(lambda: _texts(state, finding.step))
        for before, after in made["pairs"] if made is not None else []:
            if before == after:
                continue
            answer = self._ask(before, after)
            if class_of(answer) == "REFUTED" and \
                    cause_of(Pair(finding.step, "main", answer=answer)) == finding.cause:
                return before, after, answer, made["passes"], finding.step
        return None

    def shrink(self, pair):
        """The finding of a refuted pair."""
        finding = Finding(pair.step, cause_of(pair), program=pair.program, before=pair.before,
                          after=pair.after, reason=pair.answer.get("reason", ""),
                          inputs=pair.answer.get("inputs", ""))
        origin = pair.origin
        if origin is None or origin.steps is None:
            finding.ended = "not made small: " + (
                origin.no_steps if origin is not None else "it is not known what leads to it")
            return finding
        state = State(origin.source, steps=tuple(origin.steps), target=origin.target)
        finding.source = origin.source["main"].script()
        try:
            whole = replace(state, tree=tree_of(origin.source["main"]))
            finding.source = text_of(whole.tree)
        except (NotASource, tvm.error.DiagnosticError, SyntaxError, ValueError) as why:
            whole = None
            finding.did.append(f"the program stays as it is: {str(why).splitlines()[0][:120]}")
        seen = self._look(whole, finding) if whole is not None else None
        if seen is not None:
            state = whole
        else:
            if whole is not None:
                finding.did.append("the program stays as it is: printed and read again it is "
                                   "not refuted")
            seen = self._look(state, finding)
        if seen is None:
            finding.steps = [str(s) for s in state.steps]
            finding.ended = "not made small: made again it is not refuted for this cause"
            return finding
        finding.compiled = self._compiled(state, seen)
        state, seen = self._descend(state, seen, finding)
        self._tell(state, seen, finding)
        return finding

    def _as_wrong(self, state, seen, finding):
        """Where compiled code was wrong, that of what is smaller has to be so as well."""
        return not finding.compiled.startswith("differs") or state.passes is not None or \
            self._compiled(state, seen).startswith("differs")

    @staticmethod
    def _compiled(state, seen):
        return forked(lambda: _confirmed(state, seen[2].get("inputs", ""), seen[4])) or \
            "TVM crashed, or did not end"

    def _descend(self, state, seen, finding):
        """First the program and its schedule, with all passes; then the passes."""
        state, seen = self._greedy(state, seen, finding, _smaller, self.tries)
        if "." in finding.step:
            ended, most = finding.ended, finding.tries + self.tries // 3
            state = replace(state, passes=frozenset(seen[3]))
            state, seen = self._greedy(state, seen, finding, _fewer_passes, most)
            finding.ended = max(ended, finding.ended, key=lambda said: "ended after" in said)
        return state, seen

    def _greedy(self, state, seen, finding, candidates, most):
        tried = set()
        progress = True
        while progress:
            progress = False
            for did, candidate in candidates(state, finding.step):
                if candidate.size() >= state.size():
                    continue
                key = (text_of(candidate.tree) if candidate.tree is not None else "",
                       candidate.steps, candidate.passes)
                if key in tried:
                    continue
                if finding.tries >= most:
                    finding.ended = f"ended after {finding.tries} tries: it may get smaller"
                    return state, seen
                tried.add(key)
                finding.tries += 1
                found = self._look(candidate, finding)
                if found is None or not self._as_wrong(candidate, found, finding):
                    continue
                state, seen, progress = candidate, found, True
                finding.kept += 1
                finding.did.append(did)
                break
        finding.ended = "nothing that was tried makes it smaller"
        return state, seen

    def _tell(self, state, seen, finding):
        finding.before, finding.after, answer = seen[:3]
        finding.reason = answer.get("reason", "")
        finding.inputs = answer.get("inputs", "")
        finding.steps = [str(s) for s in state.steps]
        finding.passes = sorted(state.passes) if state.passes is not None else []
        if state.tree is not None:
            finding.source = forked(lambda: _printed(state.tree)) or text_of(state.tree)
        finding.compiled = self._compiled(state, seen)


def _confirmed(state, inputs, step):
    """Compiled code, of all passes, against the meaning of the pair's first program."""
    mod, pairs = _scheduled(state, step)
    before, compiled = pairs[0][:2] if pairs else (mod["main"], mod["main"])
    return compiled_says(before, compiled, inputs)


def _printed(tree):
    return parse(text_of(tree)).script()


def _smaller(state, step):
    """(what it does, a state): fewer steps, a smaller program, smaller numbers of calls."""
    last = None if "." in step else len(state.steps) - 1
    for k, one in enumerate(state.steps):
        if k != last:
            yield f"without the step {one}", \
                replace(state, steps=state.steps[:k] + state.steps[k + 1:])
    if state.tree is not None:
        for did, tree in reductions(state.tree):
            yield did, replace(state, tree=tree)
    for k, one in enumerate(state.steps):
        for args in _smaller_args(one.args):
            other = replace(one, args=args)
            yield f"{other} for {one}", replace(
                state, steps=state.steps[:k] + (other,) + state.steps[k + 1:])


def _fewer_passes(state, step):
    """All but the pass itself left out; else halves, quarters, and single ones."""
    names = sorted(state.passes - {step})
    part = len(names)
    while part >= 1:
        for at in range(0, len(names), part):
            gone = names[at:at + part]
            said = gone[0] if len(gone) == 1 else f"{len(gone)} passes"
            yield f"without {said}", replace(state, passes=state.passes - set(gone))
        part //= 2


def _smaller_args(args):
    """Numbers of a call made smaller, one at a time."""
    for k, value in enumerate(args):
        if isinstance(value, tuple):
            for inner in _smaller_args(value):
                yield args[:k] + (inner,) + args[k + 1:]
        elif isinstance(value, int) and not isinstance(value, bool):
            for to in range(1, min(value, 5)):
                yield args[:k] + (to,) + args[k + 1:]
