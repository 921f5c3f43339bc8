"""Runs a notebook's cells in this process, as a kernel would: no package of Jupyter's is needed.

usage: python notebook.py NOTEBOOK            runs it, and writes the outputs into it
"""

import ast
import contextlib
import io
import json
import linecache
import sys
from pathlib import Path

RAISES = "raises-exception"  # the tag of a cell that is meant to end in an exception


def cells_of(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))["cells"]


def displayed(value):
    """What a notebook holds of a value."""
    out = {"text/plain": repr(value)}
    html = getattr(value, "_repr_html_", None)
    if html is not None:
        out["text/html"] = html()
    return out


def run_cell(source, names, file):
    """What it prints, the value of its last line (a list of one or none), and what it raises."""
    # Where messages look a line up.
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    tree = ast.parse(source, file)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        last = ast.Expression(tree.body.pop().value)
    printed, values, raised = io.StringIO(), [], None
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(tree, file, "exec"), names)
            if last is not None:
                value = eval(compile(last, file, "eval"), names)
                values = [] if value is None else [value]
        except Exception as error:
            raised = error
    return printed.getvalue(), values, raised


def run(path):
    """Of each cell of code: the cell, what it prints, its value, what it raises."""
    names = {"__name__": "__main__"}
    for number, cell in enumerate(cells_of(path), 1):
        if cell["cell_type"] == "code":
            yield cell, *run_cell("".join(cell["source"]), names, f"<cell {number}>")


def outputs_of(printed, values, raised, count):
    """As a notebook stores them."""
    lines = lambda text: text.splitlines(keepends=True)  # noqa: E731
    out = []
    if printed:
        out.append({"name": "stdout", "output_type": "stream", "text": lines(printed)})
    for value in values:
        out.append({"data": {kind: lines(text) for kind, text in sorted(displayed(value).items())},
                    "execution_count": count, "metadata": {}, "output_type": "execute_result"})
    if raised is not None:
        shown = getattr(raised, "_render_traceback_", lambda: [repr(raised)])()
        out.append({"ename": type(raised).__name__, "evalue": str(raised), "output_type": "error",
                    "traceback": "\n".join(shown).split("\n")})
    return out


def store(path):
    notebook = json.loads(Path(path).read_text(encoding="utf-8"))
    ran = run(path)
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        count += 1
        _, printed, values, raised = next(ran)
        if raised is not None and RAISES not in cell["metadata"].get("tags", []):
            raise raised
        cell["execution_count"] = count
        cell["outputs"] = outputs_of(printed, values, raised, count)
    Path(path).write_text(json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    store(sys.argv[1])
