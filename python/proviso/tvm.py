"""Programs of Apache TVM, by text: its functions exported, and TVM's functions of programs.

Needs TVM, and the package ``proviso_tvm`` (``pip install ./python``), whose exporter it is.
"""

from __future__ import annotations

import ast
import struct
from importlib import import_module
from typing import Any

from .errors import Error
from .programs import Lowered, Program, parse
from .questions import check

# What is spelled in another way there.
_SPELLINGS = {"block": "sblock", "block_attr": "sblock_attr"}


def _packages() -> tuple[Any, Any]:
    try:
        tvm = import_module("tvm")
        import_module("tvm.script.tirx")
    except ImportError:
        raise Error("TVM is not installed", hint="pip install apache-tvm") from None
    try:
        proviso_tvm = import_module("proviso_tvm")
    except ImportError:
        raise Error("the package proviso_tvm is not installed",
                    hint="pip install ./python, in the folder of Proviso") from None
    return tvm, proviso_tvm


def _exported(proviso_tvm: Any, function: Any, name: str) -> str:
    try:
        return str(proviso_tvm.export(function, name).text)
    except proviso_tvm.NotExported as why:
        raise Error(f"{name}: {why}", hint="python/README.md says what is exported") from None


def from_tvm(mod: Any) -> Program:
    """The program of a PrimFunc, or of an IRModule whose functions are PrimFuncs.

    Attributes of functions, on which no value depends, are left out; what has no spelling in
    Proviso's text is an :class:`Error`.

    >>> import proviso
    >>> try:
    ...     proviso.from_tvm("a text")
    ... except proviso.Error as e:
    ...     print("an error")
    an error
    """
    tvm, proviso_tvm = _packages()
    prim_func = tvm.tirx.PrimFunc
    if isinstance(mod, prim_func):
        symbol = (mod.attrs or {}).get("global_symbol", "main")
        return parse(_exported(proviso_tvm, mod, str(symbol)), name="<tvm>")
    if not isinstance(mod, tvm.IRModule):
        raise Error(f"no function or module of TVM: {type(mod).__name__}")
    texts = []
    for variable in sorted(mod.get_global_vars(), key=lambda v: str(v.name_hint)):
        name = str(variable.name_hint)
        if not isinstance(mod[variable], prim_func):
            raise Error(f"{name} is a {type(mod[variable]).__name__}, and no PrimFunc",
                        hint="mod[\"NAME\"] gives one function")
        texts.append(_exported(proviso_tvm, mod[variable], name))
    return parse("\n".join(texts) + "\n", name="<tvm>")


class _ForTvm(ast.NodeTransformer):
    """The tree of a function as TVM spells it."""

    def __init__(self, with_blocks: bool):
        self.with_blocks = with_blocks
        self.in_root = True

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.decorator_list = [ast.parse("T.prim_func(s_tir=True)", mode="eval").body]
        body: list[ast.stmt] = []
        for statement in node.body:
            if _is_call(statement, "func_attr"):
                continue
            self.in_root = isinstance(statement, ast.Assign)
            body.append(self.visit(statement))
        node.body = body
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        node.annotation = ast.Subscript(ast.parse("T.let", mode="eval").body, node.annotation)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        # The shortest decimal of a float32 may lie beyond the largest one, which TVM does not round.
        short = {"float32": "f", "float16": "e"}.get(getattr(node.func, "attr", ""), "")
        for number in ast.walk(node) if short else ():
            if isinstance(number, ast.Constant) and isinstance(number.value, float):
                number.value = struct.unpack(short, struct.pack(short, number.value))[0]
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "T":
            node.attr = _SPELLINGS.get(node.attr, node.attr)
            if node.attr == "alloc_buffer" and self.with_blocks and self.in_root:
                node.attr = "sblock_alloc_buffer"  # where TVM's schedules look for it
        return node


def _is_call(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and \
        isinstance(node.value.func, ast.Attribute) and node.value.func.attr == name


def _without_attributes(text: str) -> str:
    """The text of a function without the attributes that TVM does not know."""
    tree = ast.parse(text)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            node.body = [s for s in node.body if not _is_call(s, "func_attr")] or node.body
    return ast.unparse(tree) + "\n"


def function_to_tvm(text: str, name: str) -> Any:
    """A PrimFunc of the text of one function; what TVM has read is exported again and compared."""
    tvm, proviso_tvm = _packages()
    tree = ast.parse(text)
    blocks = any(isinstance(node, ast.With) for node in ast.walk(tree))
    source = ast.unparse(ast.fix_missing_locations(_ForTvm(blocks).visit(tree)))
    try:
        function = tvm.script.from_source(source + "\n", {"T": tvm.script.tirx})
    except Exception as why:  # TVM's parser raises what it likes
        first = str(why).strip().splitlines()
        raise Error(f"TVM does not read {name}: {first[0] if first else type(why).__name__}") from None
    before = parse(_without_attributes(text), name="<program>")
    after = parse(_exported(proviso_tvm, function, name), name="<tvm>")
    if before.canonical != after.canonical and not (found := check(before, after)):
        raise Error(f"TVM reads another program than {name}: {found.verdict}: {found.reason}")
    return function.with_attr("global_symbol", name)


def program_to_tvm(program: Program) -> Any:
    """A PrimFunc of the function that is meant, or an IRModule of several."""
    tvm, _ = _packages()
    texts = program.texts
    if program.function or len(texts) == 1:
        name = program.function or next(iter(texts))
        return function_to_tvm(texts[name], name)
    return tvm.IRModule({name: function_to_tvm(text, name) for name, text in texts.items()})


def lowered_to_tvm(lowered: Lowered) -> Any:
    """A PrimFunc of the lowered program."""
    return function_to_tvm(lowered.text, parse(lowered.text).functions[0])
