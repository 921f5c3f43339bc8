"""What notebooks show: programs in colour, steps with what they change, refusals with carets.

Everything that a file, a program or a schedule brings along is shown as text, whatever it holds.
"""

from __future__ import annotations

import html
import json
import os
import re
import traceback
import unicodedata
from typing import TYPE_CHECKING, Any, Iterable

if TYPE_CHECKING:
    from .errors import Error
    from .programs import Lowered
    from .questions import Answer

MOST_LINES = 400  # of a program, and of what a step changes
MOST_STEPS = 200

# Light, or dark where the notebook says that it is.
_STYLE = """<style>
.proviso { --p: #fff; --t: #1b2027; --s: #545e6b; --l: #d5dae1; --k: #8250df; --n: #0550ae; --q: #0a6b2d;
  --c: #5f6a76; --f: #953800; --a: #dff5e5; --r: #fde3e3; --g: #116329; --b: #a31420; --o: #7a4b00;
  background: var(--p); color: var(--t); padding: .3em .5em; max-width: 76em; }
[data-jp-theme-light="false"] .proviso, .vscode-dark .proviso { --p: #14171c; --t: #e4e8ee; --s: #a3adba;
  --l: #363d48; --k: #c8a6ff; --n: #86b7ff; --q: #7ee29a; --c: #9aa4b0; --f: #ffb077; --a: #16351f; --r: #45191c;
  --g: #7ee29a; --b: #ff9c9c; --o: #f4c46a; }
.proviso pre, .proviso code { background: none; color: inherit; font-family: monospace; font-size: 13px; }
.proviso pre { margin: .2em 0; padding: 0; line-height: 1.35; white-space: pre; overflow-x: auto; }
.proviso .k { color: var(--k); } .proviso .n { color: var(--n); } .proviso .q { color: var(--q); }
.proviso .c { color: var(--c); font-style: italic; } .proviso .f { color: var(--f); }
.proviso .add { background: var(--a); } .proviso .del { background: var(--r); }
.proviso .soft { color: var(--s); } .proviso .good { color: var(--g); font-weight: bold; }
.proviso .bad { color: var(--b); font-weight: bold; } .proviso .open { color: var(--o); font-weight: bold; }
.proviso summary { cursor: pointer; } .proviso details { text-align: left; }
.proviso .row { display: inline-grid; grid-template-columns: 2.5em 19em 11em minmax(8em, 1fr) 8em 6em;
  width: calc(100% - 1.5em); gap: 0 .6em; vertical-align: top; }
.proviso .row > * { overflow-wrap: anywhere; } .proviso .step { border-top: 1px solid var(--l); }
.proviso .head { padding-left: 1em; font-weight: bold; }
.proviso td { text-align: left; padding: 0 .8em 0 0; background: none; color: inherit; }
</style>"""

_KEYWORDS = ("and as assert break class continue def elif else False for from if import in is lambda None not or "
             "pass return True while with").split()
_WORDS = re.compile(
    r"(?P<q>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')|(?P<c>\#[^\n]*)"
    r"|(?P<n>\b\d[\w.]*(?:[eE][+-]?\d+)?)|(?P<f>@?\bT(?:\.\w+)+)|(?P<k>\b(?:" + "|".join(_KEYWORDS) + r")\b)")


def escaped(text: str) -> str:
    """Text as HTML; characters that change how others are shown appear as ``\\u202e``."""
    out = []
    for c in text:
        if c != "\n" and c != "\t" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            out.append(f"\\u{ord(c):04x}" if ord(c) < 0x10000 else f"\\U{ord(c):08x}")
        else:
            out.append(c)
    return html.escape("".join(out))


def code_html(text: str) -> str:
    """A program, or a piece of one, with the colours of its syntax."""
    out, at = [], 0
    for found in _WORDS.finditer(text):
        out.append(escaped(text[at:found.start()]))
        out.append(f'<span class="{found.lastgroup}">{escaped(found[0])}</span>')
        at = found.end()
    return "".join(out) + escaped(text[at:])


def boxed(body: str) -> str:
    return f'{_STYLE}<div class="proviso">{body}</div>'


def program_html(text: str) -> str:
    lines = text.splitlines()
    more = ""
    if len(lines) > MOST_LINES:
        more = f'\n<span class="soft">… and {len(lines) - MOST_LINES} more lines</span>'
    return f'<pre>{code_html(chr(10).join(lines[:MOST_LINES]))}{more}</pre>'


def changes(source: str, edits: list[list[dict[str, Any]]]) -> Iterable[list[tuple[int, list[str], list[str]]]]:
    """Of each step the places that it changes: the line before the step, lines that go, and that come."""
    lines = source.splitlines()
    for step in edits:
        places = []
        for edit in reversed(step):
            first, last = edit["line"] - 1, edit["line"] - 1 + edit["removed"]
            added = edit["added"].splitlines()
            places.append((edit["line"], lines[first:last], added))
            lines[first:last] = added
        yield places[::-1]


def diff_text(places: list[tuple[int, list[str], list[str]]]) -> str:
    out = []
    for line, removed, added in places:
        out.append(f"@@ line {line} @@")
        out += ["-" + text for text in removed] + ["+" + text for text in added]
    return "\n".join(out) + ("\n" if out else "")


def _diff_html(places: list[tuple[int, list[str], list[str]]]) -> str:
    out, shown = [], 0
    for line, removed, added in places:
        out.append(f'<span class="soft">line {line}</span>')
        for kind, sign, texts in (("del", "-", removed), ("add", "+", added)):
            for text in texts[:max(0, MOST_LINES - shown)]:
                out.append(f'<span class="{kind}">{sign} {code_html(text)}</span>')
                shown += 1
    left = sum(len(r) + len(a) for _, r, a in places) - shown
    if left > 0:
        out.append(f'<span class="soft">… and {left} more lines</span>')
    return "<pre>" + "\n".join(out) + "</pre>" if out else '<p class="soft">The text stays as it was.</p>'


def lowered_html(lowered: Lowered) -> str:
    """A table of the steps, each with its difference, and the program that they lead to."""
    steps, source = lowered.steps, lowered.source
    proved = sum(step["obligations"] for step in steps)
    out = [f'<p><span class="good">PROVED</span> {len(steps)} step{"s" * (len(steps) != 1)}, '
           f'{proved} obligation{"s" * (proved != 1)}; <code>.log.audit()</code> proves them again</p>',
           "<details open><summary>Steps</summary>",
           '<div class="row head"><span>#</span><span>call</span><span>rule</span><span>at</span>'
           "<span>obligations</span><span>lines</span></div>"]
    for number, (step, places) in enumerate(zip(steps, changes(source, lowered._edits())), 1):
        if number > MOST_STEPS:
            out.append(f'<p class="soft">… and {len(steps) - MOST_STEPS} more steps: '
                       "<code>.steps</code>, <code>.diffs</code></p>")
            break
        call = step.get("call", "") + (f', line {step["line"]}' if step.get("line") else "")
        removed, added = sum(len(lines) for _, lines, _ in places), sum(len(lines) for _, _, lines in places)
        cells = (str(number), call, step["rule"], step["site"], str(step["obligations"]), f"−{removed} +{added}")
        row = "".join(f"<span>{escaped(cell)}</span>" for cell in cells)
        out.append(f'<details class="step"><summary><span class="row">{row}</span></summary>'
                   f"{_diff_html(places)}</details>")
    out.append("</details>")
    for title, texts in (("Changed nothing", [f'{c["primitive"]}, line {c["line"]}: {c["changed_nothing"]}'
                                              for c in lowered.calls if "changed_nothing" in c]),
                         ("Notes", lowered.notes), ("The caller owes", lowered.duties)):
        if texts:
            out.append(f"<details><summary>{title}: {len(texts)}</summary><pre>"
                       + "\n".join(escaped(text) for text in texts) + "</pre></details>")
    out.append(f"<details open><summary>Program</summary>{program_html(lowered.text)}</details>")
    return boxed("".join(out))


def _tone(verdict: str) -> str:
    if verdict in ("PROVED", "VERIFIED"):
        return "good"
    return "bad" if verdict in ("REFUTED", "ERROR", "FAILED", "BROKEN") else "open"


def error_html(error: Error) -> str:
    head = f'<span class="{_tone(error.verdict)}">{escaped(error.verdict)}</span> {escaped(error.message)}'
    if error.place:
        head = f'<span class="soft">{escaped(error.place)}</span> ' + head
    out = [f"<p>{head}</p>"]
    if error.excerpt:
        out.append(f"<pre>{escaped(error.excerpt)}</pre>")
    for note in error.notes:
        first, _, rest = note.partition("\n")
        more = f"<pre>{escaped(rest)}</pre>" if rest else ""
        out.append(f'<p style="margin:.2em 0"><span class="soft">note:</span> {escaped(first)}</p>{more}')
    if error.hint:
        out.append(f'<p style="margin:.2em 0"><span class="soft">hint:</span> {escaped(error.hint)}</p>')
    return boxed("".join(out))


def error_lines(error: Error) -> list[str]:
    """In the place of a traceback, in IPython: what is wrong, and which line of the user's led to it."""
    package = os.path.dirname(__file__) + os.sep
    own = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(package)]
    called = [f"called in {own[-1].filename}, line {own[-1].lineno}"] if own else []
    name = f"\x1b[31m{type(error).__name__}\x1b[0m: "
    return [name + printable(str(error)), *map(printable, called)]


def printable(text: str) -> str:
    """What a file brings along does not command the terminal."""
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]", lambda c: f"\\x{ord(c[0]):02x}", text)


def answer_html(answer: Answer, facts: Iterable[tuple[str, Any]]) -> str:
    """A verdict, and what there is to say: texts, or values by name."""
    out = [f'<p><span class="{_tone(answer.verdict)}">{escaped(answer.verdict)}</span></p>']
    for name, what in facts:
        if not what:
            continue
        if isinstance(what, dict):
            rows = "".join(f"<tr><td><code>{escaped(str(k))}</code></td><td><code>{escaped(_one_line(v))}</code>"
                           "</td></tr>" for k, v in what.items())
            out.append(f'<p class="soft" style="margin:.2em 0">{escaped(name)}</p><table>{rows}</table>')
        elif "\n" in what:
            text = what.splitlines()
            left = f"\n… and {len(text) - MOST_LINES} more lines" if len(text) > MOST_LINES else ""
            out.append(f"<details open><summary>{escaped(name)}</summary><pre>"
                       f'{escaped(chr(10).join(text[:MOST_LINES]) + left)}</pre></details>')
        else:
            out.append(f'<p style="margin:.2em 0"><span class="soft">{escaped(name)}:</span> '
                       f"<code>{code_html(what) if name == 'result' else escaped(what)}</code></p>")
    return boxed("".join(out))


def _one_line(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
