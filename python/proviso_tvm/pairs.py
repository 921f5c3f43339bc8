"""Pairs of functions, before and after, and what is known of each."""

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tvm_ffi import structural_equal

from .arguments import check_arguments
from .checker import CLASSES, class_of
from .errors import NotExported
from .export import export
from .meetings import IN_ORDER
from .packed import is_packed


# Passes that say how threads add up: sums of floats may be in any order.
_REORDERS = ("s_tir.LowerCrossThreadReduction", "s_tir.LowerThreadAllreduce")
_ACCEPTED = ("same text", "same but checks", "PROVED", "at its sizes")


@dataclass
class Origin:
    """What leads to a pair: a module, and the steps of a schedule, the pair's own as the last."""

    source: object
    steps: tuple = ()  # None: they cannot be made again
    no_steps: str = ""
    target: str = "llvm"  # or "cuda"


@dataclass
class Pair:
    """One function before and after a pass or a primitive."""

    step: str  # the name of the pass or the primitive
    function: str
    program: str = ""  # what is compiled, as the caller calls it
    before: str = ""
    after: str = ""
    not_exported: str = ""  # the construct
    relations: list = field(default_factory=list)
    detail: str = ""  # arguments of a primitive
    answer: dict = field(default_factory=dict)
    future: object = None
    place: tuple = ()  # of a campaign: where to find it again
    objects: tuple = ()  # the functions, as long as the process lives
    origin: object = None
    twins: str = ""  # the extents that were made small, where the pair is of a twin
    asked: list = field(default_factory=list)  # both texts without annotations
    left_out: list = field(default_factory=list)  # annotations that have no spelling
    no_twin: str = ""  # why it is of the real sizes, where a twin was asked for
    refuses: str = ""  # the check of arguments that a legal call does not pass
    licences: list = field(default_factory=list)  # that the step is known to take

    def ask(self, checker):
        # Annotations have no meaning: what differs in them alone is one text.
        self.future = checker.compare(*self.asked, tuple(self.licences))

    def verdict(self):
        if self.not_exported:
            return "not exported"
        found = self._verdict()
        # Of a twin nothing is known for the program itself.
        return "at twins" if self.twins and found in _ACCEPTED else found

    def _verdict(self):
        if self.answer.get("same_text"):
            packed = any(r.startswith("packed arguments") for r in self.relations)
            return "same but checks" if packed else "same text"
        return class_of(self.answer)


def changed(before, after):
    return not structural_equal(before, after, map_free_vars=True)


def make_pair(checker, step, name, before, after, program="", detail="", layouts=None,
              kernels=(None, None), unpacked=None, claims=False, to_come=(None, None),
              kept=None):
    """The pair of two functions, asked of the checker in the background.

    `kept`: exports of functions that come again, as what one pass makes is what the next one gets.
    """
    def text_of(function, layouts, kernels, to_come):
        key = (function, name, claims, to_come, frozenset((kernels or {}).items()))
        if kept is None or layouts or key not in kept:
            got = export(function, name, layouts, kernels, claims, to_come)
            if kept is None or layouts:
                return got
            kept[key] = got
        return kept[key]

    pair = Pair(step, name, program=program, detail=detail, objects=(before, after))
    try:
        first = text_of(before, None, kernels[0], to_come[0])
        second = text_of(after, layouts, kernels[1], to_come[1])
    except NotExported as no:
        pair.not_exported = no.construct
        return pair
    pair.before, pair.after = first.text, second.text
    pair.relations = sorted(set(first.relations) | set(second.relations))
    if unpacked is not None and is_packed(after):
        report = check_arguments(unpacked, after)
        pair.refuses = report.refuses
        pair.relations = [r for r in pair.relations if not r.startswith("packed arguments")] + \
            [report.told()]
    if layouts:
        pair.relations.append("layout of " + ", ".join(layouts))
    pair.left_out = sorted(set(first.left_out) | set(second.left_out))
    pair.asked = [first.plain, second.plain]
    if step in _REORDERS and IN_ORDER in pair.relations:
        pair.licences = ["reassociate"]
    pair.ask(checker)
    return pair


def settle(pairs):
    """Waits for the answers of all pairs."""
    for pair in pairs:
        if pair.future is not None:
            pair.answer = pair.future.result()
            pair.future = None
            for licence in pair.licences:
                if any(licence in said for said in pair.answer.get("under", [])):
                    pair.relations.append(f"{licence} (threads add in another order)")
        if pair.refuses:
            pair.answer = {"verdict": "REFUTED", "reason":
                           f"the packed function refuses a legal call: {pair.refuses}"}
    return pairs


def table(pairs):
    """Rows of the summary: the step's name, and counts in the order of COLUMNS."""
    steps = {}
    for pair in pairs:
        steps.setdefault(pair.step, Counter())[pair.verdict()] += 1
    rows = []
    for step, counts in sorted(steps.items(), key=lambda row: (-sum(row[1].values()), row[0])):
        rows.append([step, sum(counts.values()),
                     sum(counts.values()) - counts["not exported"]] +
                    [counts[c] for c in CLASSES])
    return rows


COLUMNS = ["step", "pairs", "exported"] + CLASSES


def table_text(pairs):
    """The summary as a table of Markdown."""
    rows = table(pairs)
    total = ["all"] + [sum(row[k] for row in rows) for k in range(1, len(COLUMNS))]
    lines = ["| " + " | ".join(COLUMNS) + " |", "|---" * len(COLUMNS) + "|"]
    for row in rows + [total]:
        lines.append("| " + " | ".join(str(x) if x else "" for x in row) + " |")
    return "\n".join(lines) + "\n"


def why_open(answer):
    """What stands in the way of a proof."""
    tried = answer.get("report", {}).get("tried", [])
    return answer.get("reason") or (tried[0] if tried else "no derivation was looked for")


def reasons(pairs):
    """What is not exported, not read or not decided, most frequent first."""
    out = Counter()
    for pair in pairs:
        kind = pair.verdict()
        if kind == "not exported":
            out[f"not exported: {pair.not_exported}"] += 1
        elif kind in ("not read", "relation"):
            out[f"{kind}: {pair.answer['error'].get('message', '')}"[:160]] += 1
        elif kind in ("UNKNOWN", "TESTED", "BOUNDED"):
            out[f"{kind}: {why_open(pair.answer)}"[:160]] += 1
    return out.most_common()


def kind_of_difference(pair):
    """What a refutation has seen, in a few words, for grouping."""
    reason = pair.answer.get("reason", "")
    if "refuses a legal call" in reason:
        return "a legal call refused"
    if "outside of the block's regions" in reason:
        return "a false claim of a block's regions"
    if "data race" in reason:
        return "data race"
    if "out of range" in reason:
        return "a value out of range"
    if "indet" in reason:
        return "a cell that nothing has stored to"
    if re.search(r"out of bounds|outside|index", reason):
        return "an access out of bounds"
    return "other values"


def _numbers(reason):
    found = re.search(r"before (\S+?), after (\S+?)(?:[ ,;)]|$)", reason)
    try:
        return tuple(float(x) for x in found.groups()) if found else None
    except ValueError:
        return None


def cause_of(pair):
    """The kind of a difference, and of values: how they differ. Findings are grouped by it."""
    kind = kind_of_difference(pair)
    values = _numbers(pair.answer.get("reason", "")) if kind == "other values" else None
    if values is None:
        return kind
    before, after = values
    if before != before or after != after:
        return "NaN"
    if before == after == 0:
        return "the sign of a zero"
    if before in (float("inf"), -float("inf")) or after in (float("inf"), -float("inf")):
        return "an infinity"
    if before != int(before) and abs(before - after) <= 1e-3 * max(abs(before), abs(after)):
        return "a rounding"
    return kind


def write_report(pairs, folder):
    """`summary.md`, `pairs.jsonl`, and the texts of every pair that is not settled."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    text = table_text(pairs) + "\n"
    relations = Counter(r.split(" (")[0] for pair in pairs for r in pair.relations)
    for name, count in sorted(relations.items()):
        text += f"- {count} pairs under the relation `{name}`\n"
    for twins, count in Counter(p.twins for p in pairs if p.twins).most_common():
        text += f"- {count} pairs are of a twin: {twins}\n"
    for note in sorted({p.no_twin for p in pairs if p.no_twin}):
        text += f"- at the real sizes, without a twin: {note}\n"
    for reason, count in reasons(pairs):
        text += f"- {count} × {reason}\n"
    (folder / "summary.md").write_text(text, encoding="utf-8")
    with (folder / "pairs.jsonl").open("w", encoding="utf-8") as out:
        for number, pair in enumerate(pairs):
            row = {"number": number, "step": pair.step, "function": pair.function,
                   "program": pair.program, "verdict": pair.verdict()}
            for key in ("detail", "not_exported", "relations", "twins", "left_out"):
                if getattr(pair, key):
                    row[key] = getattr(pair, key)
            for key in ("reason", "inputs", "error"):
                if key in pair.answer:
                    row[key] = pair.answer[key]
            out.write(json.dumps(row) + "\n")
            if pair.verdict() in _ACCEPTED + ("at twins", "not exported"):
                continue
            (folder / f"{number:05}.before.py").write_text(pair.before, encoding="utf-8")
            (folder / f"{number:05}.after.py").write_text(pair.after, encoding="utf-8")
    return folder / "summary.md"
