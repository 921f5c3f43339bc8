"""What carries no value: annotations, and claims of regions, where they are asked for."""

import json
import math


class Line(str):
    """A line of the text; `plain` is the same without annotations, or None for no line."""

    plain = None


def line(text, plain):
    out = Line(text)
    out.plain = plain
    return out


def plain_text(lines):
    """The text without annotations: pairs that differ in them only have one text."""
    kept = [one.plain if isinstance(one, Line) else one for one in lines]
    return "\n".join(one for one in kept if one is not None) + "\n"


def spelled(value):
    """An annotation's value as the reader knows it; None where it has no spelling."""
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, (int, float)):
        return repr(value) if math.isfinite(value) else None
    if isinstance(value, str):
        return json.dumps(str(value))
    kind = type(value).__name__
    if kind in ("IntImm", "FloatImm", "StringImm"):
        if kind == "IntImm" and str(value.ty.dtype) == "bool":
            return str(bool(value.value))
        return spelled(value.value)
    if isinstance(value, (list, tuple)) or kind == "Array":
        inner = [spelled(v) for v in value]
        return None if None in inner else "[" + ", ".join(inner) + "]"
    if isinstance(value, dict) or kind in ("Map", "Dict"):
        return spelled_map(value)[0]
    return None


def spelled_map(annotations):
    """(text or None, keys left out) of annotations."""
    parts, left = [], []
    for key, value in sorted(annotations.items(), key=lambda row: str(row[0])):
        text = spelled(value)
        if text is None:
            left.append(str(key))
        else:
            parts.append(f"{json.dumps(str(key))}: {text}")
    return ("{" + ", ".join(parts) + "}" if parts else None), left


class Annotations:
    """Mixed into the exporter."""

    def annotated(self, annotations):
        """`, annotations={…}` or ""."""
        text, left = spelled_map(annotations or {})
        self.left_out += left
        return f", annotations={text}" if text is not None else ""

    def line_with(self, depth, before, annotations, after):
        """A line that ends in annotations."""
        said = self.annotated(annotations)
        space = "    " * depth
        if said:
            self.lines.append(line(space + before + said + after, space + before + after))
        else:
            self.lines.append(space + before + after)

    def block_attributes(self, block, depth):
        text, left = spelled_map(block.annotations or {})
        self.left_out += left
        if text is not None:
            self.lines.append(line("    " * depth + f"T.block_attr({text})", None))

    def regions(self, block, depth):
        """`T.reads` and `T.writes`: they have a meaning, since a false claim is a fault."""
        if not self.claims:
            return
        for word, regions in (("reads", block.reads), ("writes", block.writes)):
            said = ", ".join(f"{self.buffer_name(r.source)}[{self.ranges(r.region)}]"
                             for r in regions)
            self.line(depth, f"T.{word}({said})")

    def ranges(self, region):
        if not list(region):
            return "()"
        return ", ".join(f"{self.plain(r.min)}:{self.plain(r.min)} + {self.plain(r.extent)}"
                         for r in region)
