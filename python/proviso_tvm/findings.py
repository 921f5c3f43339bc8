"""What a campaign has found: groups by step and cause, each with its smallest program."""

import dataclasses
import json
from pathlib import Path

from .pairs import cause_of


def groups_of(pairs):
    """(step, cause) -> its refuted pairs, the smallest first."""
    groups = {}
    for pair in pairs:
        if pair.verdict() == "REFUTED":
            groups.setdefault((pair.step, cause_of(pair)), []).append(pair)
    return {key: sorted(group, key=lambda p: (len(p.before), p.program))
            for key, group in sorted(groups.items())}


def tell_refuted(pairs, confirmed, folder, most):
    """Prints refuted pairs by step and cause, the smallest first; `confirmed` runs compiled code
    for `most` of each group."""
    lines = []
    for (step, cause), group in groups_of(pairs).items():
        lines.append(f"{step}: {cause}: {len(group)}")
        print(lines[-1], flush=True)
        for pair in group[:most]:
            lines.append(f"  {pair.program} ({pair.detail}): {pair.answer['reason'][:240]}\n"
                         f"    compiled code: {confirmed(pair)}")
            print(lines[-1], flush=True)
    (Path(folder) / "refuted.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def shrink_groups(pairs, shrunk, each, note=lambda text: None):
    """The findings of `each` pairs of each group, made small by `shrunk`, the smallest first.

    What two pairs come down to is told once.
    """
    found = {}
    for (step, cause), group in groups_of(pairs).items():
        for pair in group[:each]:
            finding = shrunk(pair)
            finding.count = len(group)
            note(f"{step}: {cause}: {finding.tries} tries, {finding.ended}")
            found.setdefault((step, cause, finding.source, tuple(finding.steps)), finding)
    return sorted(found.values(), key=lambda f: (f.size(), f.step, f.cause))


def _code(text):
    return "```python\n" + text.rstrip("\n") + "\n```\n"


def _told(finding):
    out = [f"## {finding.step}: {finding.cause}\n",
           f"{finding.count} pairs of the campaign; this one is from {finding.program}: "
           f"{finding.kept} of {finding.tries} tries made it smaller; {finding.ended}.\n",
           "The program:\n", _code(finding.source)]
    if finding.steps:
        out += ["Its schedule:\n", _code("\n".join(finding.steps))]
    if finding.passes:
        out.append("Passes that have to run: " + ", ".join(f"`{p}`" for p in finding.passes) +
                   ".\n")
    out += [f"Before `{finding.step}`:\n", _code(finding.before), "After it:\n",
            _code(finding.after), f"{finding.reason}\n",
            f"Compiled code of the program: {finding.compiled or 'not run'}.\n"]
    if finding.did:
        out += ["What was done:\n", "\n".join(f"- {line}" for line in finding.did) + "\n"]
    return "\n".join(out)


def write_findings(findings, folder):
    """`findings.md`, and `findings.jsonl` with a finding a line."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    head = f"# {len(findings)} findings, the smallest first\n"
    (folder / "findings.md").write_text("\n".join([head] + [_told(f) for f in findings]),
                                        encoding="utf-8")
    with (folder / "findings.jsonl").open("w", encoding="utf-8") as out:
        for finding in findings:
            out.write(json.dumps(dataclasses.asdict(finding)) + "\n")
    return folder / "findings.md"
