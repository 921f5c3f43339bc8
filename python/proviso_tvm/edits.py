"""Random edits of programs: what a checker must not accept."""

import random
import re

_NUMBER = re.compile(r"T\.(int32|float32)\((-?[\d.e+-]+)\)|(?<![\w.])(\d+)(?![\w.])")
_OPERATORS = [(" + ", " - "), (" * ", " + "), (" < ", " <= "), (" == ", " != "),
              ("T.max(", "T.min("), (" and ", " or "), (" // ", " % ")]


def edit(text, rng):
    """The text with one small change, and what was changed; None where nothing was found."""
    lines = text.split("\n")
    body = [k for k in range(2, len(lines)) if lines[k].strip()]
    kind = rng.choice(["number", "number", "operator", "variable", "drop"])
    if kind == "number":
        found = [(k, m) for k in body for m in _NUMBER.finditer(lines[k])]
        if not found:
            return None
        k, m = rng.choice(found)
        if m.group(3) is not None:
            new = str(max(0, int(m.group(3)) + rng.choice([-1, 1])))
        else:
            value = m.group(2)
            by = rng.choice([-1, 1])
            value = str(int(value) + by) if m.group(1) == "int32" else repr(float(value) + by)
            new = f"T.{m.group(1)}({value})"
        lines[k] = lines[k][:m.start()] + new + lines[k][m.end():]
    elif kind == "operator":
        found = [(k, a, b) for k in body for pair in _OPERATORS for a, b in (pair, pair[::-1])
                 if a in lines[k]]
        if not found:
            return None
        k, a, b = rng.choice(found)
        lines[k] = lines[k].replace(a, b, 1)
    elif kind == "variable":
        k = rng.choice(body)
        names = sorted(set(re.findall(r"\b(?:v_\w+|i\d*|j|k|ax\d|cse_v\d)\b", lines[k])))
        if len(names) < 2 or " in T." in lines[k]:
            return None
        a, b = rng.sample(names, 2)
        at = [m for m in re.finditer(rf"\b{a}\b", lines[k])]
        m = rng.choice(at)
        lines[k] = lines[k][:m.start()] + b + lines[k][m.end():]
    else:
        stores = [k for k in body if re.match(r"\s+\w+\[.*\] = ", lines[k])]
        if not stores:
            return None
        k = rng.choice(stores)
        lines[k] = re.match(r"\s+", lines[k]).group(0) + "pass"
    out = "\n".join(lines)
    return (out, kind) if out != text else None


def edits_of(pairs, count, seed=0):
    """(pair, edited text of AFTER, kind) of settled pairs, as many as asked for."""
    rng = random.Random(seed)
    good = [p for p in pairs if p.verdict() in ("at its sizes", "PROVED")]
    out = []
    for _ in range(50 * count):
        if len(out) == count or not good:
            break
        pair = rng.choice(good)
        made = edit(pair.asked[1], rng)
        if made is not None:
            out.append((pair,) + made)
    return out
