"""What stands in a statement: accesses, barriers, indices of threads. For phases.py."""

from dataclasses import dataclass, field

from tvm import ir

# Statements and expressions by which threads of a block or a warp meet.
MEETINGS = {"tvm_storage_sync", "tvm_thread_allreduce", "tvm_warp_activemask",
            "tvm_warp_shuffle", "tvm_warp_shuffle_up", "tvm_warp_shuffle_down",
            "cuda.__activemask", "cuda.__shfl_sync", "cuda.__shfl_up_sync",
            "cuda.__shfl_down_sync"}
_NO_CODE = {"span", "ty", "reads", "writes", "annotations", "attrs"}  # fields
_LEAVES = {"Var", "IntImm", "FloatImm", "StringImm", "Op", "GlobalVar"}
_STATEMENTS = {"SeqStmt", "For", "While", "IfThenElse", "AttrStmt", "Bind", "BufferStore",
               "Evaluate", "SBlockRealize", "SBlock", "AllocBuffer", "DeclBuffer"}


@dataclass
class Facts:
    """Of a statement or an expression, with all that stands in it."""

    meets: bool = False  # barriers, reductions across threads, shuffles
    lowered: bool = False  # reductions across threads, as calls
    lists: bool = False  # several statements
    blocks: bool = False
    tags: set = field(default_factory=set)  # thread indices that loops are bound to
    stored: set = field(default_factory=set)  # buffers
    loaded: set = field(default_factory=set)
    variables: set = field(default_factory=set)  # all that are mentioned, buffers included
    reduced: set = field(default_factory=set)  # those that iterators of reductions depend on

    def add(self, other):
        self.meets |= other.meets
        self.lowered |= other.lowered
        self.lists |= other.lists
        self.blocks |= other.blocks
        self.tags |= other.tags
        self.stored |= other.stored
        self.loaded |= other.loaded
        self.variables |= other.variables
        self.reduced |= other.reduced


_NAMES = {}  # type -> its fields


def _names_of(kind):
    if kind not in _NAMES:
        names, info = [], getattr(kind, "__tvm_ffi_type_info__", None)
        while info is not None:
            names += [one.name for one in info.fields if one.name not in _NO_CODE]
            info = info.parent_type_info
        _NAMES[kind] = [] if kind.__name__ in _LEAVES else names
    return _NAMES[kind]


def fields_of(node):
    """The children of a node of TVM's IR, in the order of its declaration."""
    for name in _names_of(type(node)):
        child = getattr(node, name, None)
        if child is not None and not isinstance(child, (int, float, str)):
            yield child
    if isinstance(node, (list, tuple)) or type(node).__name__ == "Array":
        yield from node


def parts_of(s):
    """The statements directly within a statement."""
    if type(s).__name__ == "SBlockRealize":
        s = s.block
    if type(s).__name__ == "SeqStmt":
        return list(s.seq)
    below = [getattr(s, name, None) for name in ("init", "body", "then_case", "else_case")]
    return [one for one in below if one is not None]


def thread_tag(s):
    """The thread index that a statement binds, or ""; `vthread` or so of virtual threads."""
    kind = type(s).__name__
    if kind == "For" and s.thread_binding is not None:
        return str(s.thread_binding.thread_tag)
    if kind == "AttrStmt" and str(s.attr_key) in ("thread_extent", "virtual_thread"):
        tag = str(s.node.thread_tag)
        virtual = str(s.attr_key) == "virtual_thread" and not tag.startswith("vthread")
        return "vthread" if virtual else tag
    return ""


def has_barrier(node):
    """Whether ThreadSync has been there."""
    if type(node).__name__ == "Call" and isinstance(node.op, ir.Op):
        return node.op.name == "tirx.tvm_storage_sync"
    return any(has_barrier(child) for child in fields_of(node))


class FactsOf:
    """Facts, kept for statements."""

    def __init__(self):
        self._of = {}

    def __call__(self, node):
        if type(node).__name__ not in _STATEMENTS:
            return self._gather(node)
        out = self._of.get(node)
        if out is None:
            out = self._of[node] = self._gather(node)
        return out

    def _gather(self, root):
        out, open_ = Facts(), [root]
        while open_:
            node = open_.pop()
            kind = type(node).__name__
            if node is not root and kind in _STATEMENTS:
                out.add(self(node))
                continue
            self._here(node, kind, out)
            open_ += fields_of(node)
        return out

    def _here(self, node, kind, out):
        if kind == "Var":
            out.variables.add(node)
        elif kind == "SeqStmt":
            out.lists = True
        elif kind == "BufferStore":
            out.stored.add(node.buffer)
        elif kind == "TensorLoad":
            out.loaded.add(node.source)
        elif kind == "Call" and isinstance(node.op, ir.Op):
            out.meets |= node.op.name.removeprefix("tirx.") in MEETINGS
            out.lowered |= node.op.name == "tirx.tvm_thread_allreduce"
        elif kind == "SBlockRealize":
            out.blocks = True
            for v, value in zip(node.block.iter_vars, node.iter_values):
                if int(v.iter_type) == 2:
                    out.reduced |= self(value).variables
        elif thread_tag(node).startswith(("threadIdx", "blockIdx")):
            out.tags.add(thread_tag(node))
