"""Programs of TVM as trees of Python's syntax, and what makes them smaller.

A printed program of TVM is Python, so that what is dropped or made smaller is a piece of its
syntax tree. TVM's parser reads it again, and refuses what is no program any more.
"""

import ast
import copy

import tvm
from tvm_ffi import structural_equal

_TYPES = ("float16", "float32", "float64", "int8", "int32", "int64", "uint8", "uint32", "bool")
_CALLS_OF_CLAIMS = ("reads", "writes")


class NotASource(Exception):
    """TVM's own parser does not read what its printer has written."""


def _is_call(node, *names):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and \
        node.func.attr in names


def _bodies(node):
    for one in ast.walk(node):
        for field in ("body", "orelse"):
            body = getattr(one, field, None)
            if isinstance(body, list):
                yield one, field, body


def tree_of(func):
    """The tree of a function, without claims of regions, which the parser finds itself."""
    tree = ast.parse(func.script())
    for node, field, body in _bodies(tree):
        kept = [s for s in body if not (isinstance(s, ast.Expr) and
                                        _is_call(s.value, *_CALLS_OF_CLAIMS))]
        setattr(node, field, kept)
    if not structural_equal(function_of(tree), func.with_attr("global_symbol", "main"),
                            map_free_vars=True):
        raise NotASource("TVM's parser reads another program than its printer has written")
    return tree


def text_of(tree):
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def function_of(tree):
    """The function, called `main`; errors are those of TVM's parser."""
    return parse(text_of(tree))


def parse(text):
    func = tvm.script.from_source(text)
    return func.with_attr("global_symbol", "main")


def size(tree):
    """What gets smaller with each reduction: the pieces, then the numbers in them."""
    nodes = list(ast.walk(tree))
    numbers = sum(abs(n.value) for n in nodes if isinstance(n, ast.Constant) and
                  isinstance(n.value, (int, float)) and abs(n.value) < 1e9)
    return len(nodes), numbers


def _places(tree, wanted):
    """Paths of nodes, the largest first, so that much goes at once."""
    found = []

    def walk(node, path):
        if wanted(node, path):
            found.append((len(list(ast.walk(node))), len(found), path))
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                for k, one in enumerate(value):
                    if isinstance(one, ast.AST):
                        walk(one, path + ((field, k),))
            elif isinstance(value, ast.AST):
                walk(value, path + ((field, None),))

    walk(tree, ())
    return [path for _, _, path in sorted(found, key=lambda row: (-row[0], row[1]))]


def _at(tree, path):
    for field, k in path:
        tree = getattr(tree, field) if k is None else getattr(tree, field)[k]
    return tree


def _put(tree, path, new):
    """A copy of the tree with other nodes (a list in the place of a statement) at a path."""
    out = copy.deepcopy(tree)
    parent = _at(out, path[:-1])
    field, k = path[-1]
    if isinstance(new, list):
        getattr(parent, field)[k:k + 1] = copy.deepcopy(new)
        if not getattr(parent, field):
            getattr(parent, field).append(ast.Pass())
    elif k is None:
        setattr(parent, field, copy.deepcopy(new))
    else:
        getattr(parent, field)[k] = copy.deepcopy(new)
    return out


class _Replaced(ast.NodeTransformer):
    def __init__(self, name, value):
        self.name, self.value = name, value

    def visit_Name(self, node):
        return ast.copy_location(ast.Constant(self.value), node) if node.id == self.name else node


def without_statements(tree):
    """Each statement left out, or replaced by its body."""
    for path in _places(tree, lambda n, p: isinstance(n, ast.stmt) and len(p) > 1):
        node = _at(tree, path)
        said = ast.unparse(node).split("\n")[0].strip()
        yield f"without `{said}`", _put(tree, path, [])
        if isinstance(node, (ast.For, ast.If)) and not getattr(node, "orelse", None):
            body = node.body
            if isinstance(node, ast.For):
                names = [n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)]
                body = [copy.deepcopy(s) for s in body]
                for name in names:
                    body = [_Replaced(name, 0).visit(s) for s in body]
            yield f"the body of `{said}` alone", _put(tree, path, body)


def _operands(node):
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return [node.operand]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and \
            not _is_call(node, "Buffer", "grid", "serial", "parallel", "vectorized", "unroll",
                         "remap", "spatial", "reduce", "sblock", "init", "where", *_TYPES):
        return [a for a in node.args if not (isinstance(a, ast.Constant) and
                                             isinstance(a.value, str))]
    return []


def simpler_expressions(tree):
    """Each operator replaced by one of its operands; loads and computed floats by a constant."""
    for path in _places(tree, lambda n, p: bool(_operands(n))):
        node = _at(tree, path)
        for operand in _operands(node):
            if len(list(ast.walk(operand))) < len(list(ast.walk(node))):
                yield f"`{ast.unparse(operand)}` for `{ast.unparse(node)}`", \
                    _put(tree, path, operand)


def extents_of(tree):
    """Numbers that are extents: of shapes, loops and domains of iterators."""
    found = set()
    for node in ast.walk(tree):
        if _is_call(node, "Buffer", "grid", "serial", "parallel", "vectorized", "unroll",
                    "alloc_buffer", "sblock_alloc_buffer", "spatial", "reduce",
                    "thread_binding") or (isinstance(node, ast.Call) and
                                          getattr(node.func, "id", "") == "range"):
            for arg in node.args[:1] if _is_call(node, "spatial", "reduce") else node.args:
                for one in ast.walk(arg):
                    if isinstance(one, ast.Constant) and type(one.value) is int:
                        found.add(one.value)
    return found


def renumbered(tree, mapping):
    """The tree with other numbers in the places of these, wherever they stand."""
    out = copy.deepcopy(tree)
    for node in ast.walk(out):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            node.value = mapping.get(node.value, node.value)
    return out


def smaller_extents(tree):
    """Each extent made smaller: alone, and with the numbers near to it (a halo, an end)."""
    for extent in sorted(extents_of(tree), reverse=True):
        for to in list(range(1, min(extent, 9))) + ([extent - 1] if extent > 9 else []):
            yield f"extent {extent} → {to}", renumbered(tree, {extent: to})
            near = {c: c - extent + to for c in range(max(extent - 3, 4), extent + 4)}
            yield f"extents about {extent} → {to}", renumbered(tree, near)


def fewer_parameters(tree):
    """Without each parameter that nothing mentions."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef):
            continue
        used = {n.id for s in node.body for n in ast.walk(s) if isinstance(n, ast.Name)}
        for k, arg in enumerate(node.args.args):
            if arg.arg not in used:
                out = copy.deepcopy(tree)
                for other in ast.walk(out):
                    if isinstance(other, ast.FunctionDef) and other.name == node.name:
                        del other.args.args[k]
                yield f"without parameter {arg.arg}", out


def reductions(tree):
    """(what it does, a tree), in the order in which they are tried."""
    yield from without_statements(tree)
    yield from smaller_extents(tree)
    yield from simpler_expressions(tree)
    yield from fewer_parameters(tree)
