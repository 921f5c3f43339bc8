"""Statements of TVM's IR as text that Proviso reads."""

from tvm import ir

from .errors import NotExported
from .expressions import dtype_of, is_int_const
from .facts import thread_tag
from .packed import find_call, op_name

_AXES = {0: "spatial", 2: "reduce", 3: "scan", 4: "opaque"}
# Attributes around statements that change no value.
_NO_VALUE = {
    "storage_alignment", "compute_scope", "device_id", "device_type", "device_scope",
    "double_buffer_scope", "double_buffer_write", "buffer_dim_align", "hand_threaded",
    "expand_if_then_else", "tirx.loop_partition_hint",
}
_LAUNCHES = ("tirx.call_ffi_kernel", "tirx.tvm_call_packed_lowered")
_SERIAL, _PARALLEL, _VECTORIZED, _UNROLLED, _THREADS = range(5)


def same_expr(a, b):
    return is_int_const(a) and is_int_const(b) and int(a.value) == int(b.value)


def free_vars(extents):
    """The variables of expressions."""
    out = []
    for e in extents:
        if type(e).__name__ == "Var":
            out.append(e)
            continue
        for name in ("a", "b", "value", "args"):
            child = getattr(e, name, None)
            if child is not None and not isinstance(child, (int, float, str)):
                out += free_vars(child if name == "args" else [child])
    return out


def has_threads(s):
    """Whether a statement has loops over blocks or threads of a GPU, or launches a kernel."""
    kind = type(s).__name__
    if kind == "SeqStmt":
        return any(has_threads(one) for one in s.seq)
    if kind == "SBlockRealize":
        return has_threads(s.block.body)
    if kind == "IfThenElse":
        return has_threads(s.then_case) or \
            (s.else_case is not None and has_threads(s.else_case))
    if kind == "Evaluate":
        call = s.value
        return type(call).__name__ == "Call" and (
            isinstance(call.op, ir.GlobalVar) or call.op.name in _LAUNCHES)
    if kind == "AttrStmt" and str(s.attr_key) == "thread_extent":
        return True
    if kind == "For" and s.thread_binding is not None:
        return "Idx" in str(s.thread_binding.thread_tag) or has_threads(s.body)
    return kind in ("For", "AttrStmt", "While") and has_threads(s.body)


class Statements:
    """Mixed into the exporter: one method for each kind of statement, which adds lines."""

    def stmt(self, s, depth):
        method = getattr(self, "_stmt_" + type(s).__name__, None)
        if method is None:
            raise NotExported(f"statement {type(s).__name__}")
        method(s, depth)

    def line(self, depth, text):
        self.lines.append("    " * depth + text)

    def body(self, s, depth):
        """A list of its own, in which names end."""
        before = len(self.lines)
        self.stmt(s, depth)
        if len(self.lines) == before:
            self.line(depth, "pass")

    def _stmt_SeqStmt(self, s, depth):
        for one in s.seq:
            self.stmt(one, depth)

    def _stmt_Bind(self, s, depth):
        ty = type(s.var.ty).__name__
        if ty == "PointerType":
            self.pointers[s.var] = self.memory(s.value)
            return
        dtype = dtype_of(s.var.ty, "let")
        value = self.expr(s.value)
        self.scalars.add(s.var)
        self.line(depth, f"{self.names.of(s.var)}: T.let[T.{dtype}] = {value}")

    def _stmt_AssertStmt(self, s, depth):
        parts = "".join(str(getattr(p, "value", p)) for p in s.message_parts)
        text = parts.encode("unicode_escape").decode().replace('"', '\\"')
        kind = str(getattr(s.error_kind, "value", s.error_kind))
        self.line(depth, f'assert {self.expr(s.condition)}, ("{kind}", ["{text}"])')

    def _stmt_For(self, s, depth):
        if int(s.kind) != _THREADS:
            self.loop_line(s, depth)
            self.body(s.body, depth + 1)
        elif self.team is None and self.meets(s):
            self.begin_team(s, depth)
        elif not (is_int_const(s.min) and int(s.min.value) == 0):
            raise NotExported("loop over threads that does not begin at 0")
        else:
            self.threads_of(s.loop_var, thread_tag(s), s.extent, s.body, depth)

    def loop_line(self, s, depth):
        """The head of a loop that is not one over threads."""
        kind = int(s.kind)
        dtype = dtype_of(s.loop_var.ty, "loop variable")
        if s.step is not None and not same_expr(s.step, s.step.__class__(s.step.ty, 1)):
            raise NotExported("loop with a step")
        name = self.names.of(s.loop_var)
        zero = is_int_const(s.min) and int(s.min.value) == 0
        if zero:
            lo, hi = f"T.{dtype}(0)", self.expr(s.extent)
        elif is_int_const(s.min) and is_int_const(s.extent):
            lo = self.expr(s.min)
            hi = f"T.{dtype}({int(s.min.value) + int(s.extent.value)})"
        else:
            lo = self.expr(s.min)
            hi = f"{lo} + {self.expr(s.extent)}"
        word = {_SERIAL: "serial", _PARALLEL: "parallel", _VECTORIZED: "vectorized",
                _UNROLLED: "unroll"}.get(kind)
        if word is None:
            raise NotExported(f"loop of kind {kind}")
        self.line_with(depth, f"for {name} in T.{word}({lo}, {hi}", s.annotations, "):")
        self.scalars.add(s.loop_var)

    def _stmt_While(self, s, depth):
        raise NotExported("while")

    def _stmt_BufferStore(self, s, depth):
        value = self.expr(s.value)
        to, of = str(self.buffer_type(s.buffer).dtype.dtype), str(s.value.ty.dtype)
        if to.split("x")[0] != of.split("x")[0]:
            raise NotExported(f"store of {of} to {to}")
        self.line(depth, f"{self.place(s)} = {value}")

    def place(self, s):
        return f"{self.buffer_name(s.buffer)}[{self.cell_index(s.buffer, s.indices)}]"

    def shape(self, extents):
        inner = ", ".join(self.plain(e) for e in extents)
        return f"({inner},)" if len(extents) == 1 else f"({inner})"

    def compact(self, ty):
        """Whether strides say nothing: row-major without gaps."""
        strides = list(ty.strides)
        if not strides:
            return True
        expected = 1
        for extent, stride in zip(reversed(list(ty.shape)), reversed(strides)):
            if not (is_int_const(stride) and is_int_const(extent)):
                return False
            if int(stride.value) != expected and int(extent.value) != 1:
                return False
            expected *= int(extent.value)
        return True

    def cells_of(self, ty):
        """The number of cells; None where it is not constant."""
        count = 1
        for extent in ty.shape:
            count = count * int(extent.value) if count and is_int_const(extent) else None
        return count

    def strides_text(self, ty):
        if self.compact(ty):
            return ""
        return ", strides=[" + ", ".join(self.plain(x) for x in ty.strides) + "]"

    def allocate(self, buffer, depth, form="alloc_buffer", annotations=None):
        ty = self.buffer_type(buffer)
        dtype = dtype_of(ty.dtype, "allocation")
        tail = f', "{dtype}"{self.strides_text(ty)}'
        if not self.zero_offset(ty):
            raise NotExported("allocation with an offset")
        scope = str(ty.storage_scope)
        if scope not in ("", "global"):
            tail += f', scope="{scope}"'
        self.declare(buffer)
        if self.of_a_team(buffer, tail):
            return
        text = f"T.{form}({self.shape(ty.shape)}{tail}"
        here = scope.startswith("local") and any(t.startswith("threadIdx") for t in self.threads)
        if self.on_gpu and scope.startswith(("shared", "local")) and not here:
            # Memory of a block, or of a thread, wherever TVM has put the line: the reader places
            # what stands at the top.
            if any(v not in self.sizes for v in free_vars(ty.shape)):
                raise NotExported(f"memory of scope {scope} whose size is known inside only")
            self.top.append(f"    {self.names.of(buffer)} = "
                            f"{text.replace('T.' + form, 'T.sblock_alloc_buffer')})")
            return
        self.line_with(depth, f"{self.names.of(buffer)} = {text}", annotations, ")")

    def zero_offset(self, ty):
        offset = ty.elem_offset
        return offset is None or (is_int_const(offset) and int(offset.value) == 0)

    def _stmt_AllocBuffer(self, s, depth):
        if s.buffer not in self.declared:
            self.allocate(s.buffer, depth, annotations=s.annotations)

    def _stmt_DeclBuffer(self, s, depth):
        self.view(s.buffer, self.memory(s.data), depth)

    def view(self, buffer, below, depth):
        ty = self.buffer_type(buffer)
        dtype = dtype_of(ty.dtype, "view")
        if below == "workspace":
            self.workspaces.add(buffer)
            self.allocate(buffer, depth)
            return
        of = str(self.buffer_type(below).dtype.dtype)
        if of.split("x")[0] != dtype.split("x")[0]:
            raise NotExported(f"view of another element type ({of} as {dtype})")
        if "x" in dtype and not (self.zero_offset(ty) and self.compact(ty)):
            raise NotExported("view of vectors with an offset or strides")
        name = self.buffer_name(below)
        if buffer is below or buffer.same_as(below):
            return
        shape = self.shape(ty.shape)
        if below in self.lead:  # each thread has a part
            if self.cells_of(ty) != self.cells_of(self.buffer_type(below)) or \
                    not (self.zero_offset(ty) and self.compact(ty)):
                raise NotExported("view of a part of a thread's memory")
            self.lead[buffer] = self.lead[below]
            shape = self.shape_of_all(buffer)
        text = f'T.decl_buffer({shape}, "{dtype}", data={name}.data'
        text += self.strides_text(ty)
        if not self.zero_offset(ty):
            if type(ty.elem_offset).__name__ == "Var" and ty.elem_offset not in self.scalars:
                raise NotExported("view with an unknown offset")
            text += f", elem_offset={self.plain(ty.elem_offset)}"
        self.declare(buffer)
        self.line(depth, f"{self.names.of(buffer)} = {text})")

    def memory(self, data):
        """The buffer (or the name of a kind of memory) that a pointer is to."""
        kind = type(data).__name__
        if kind == "Var" and data in self.pointers:
            return self.pointers[data]
        if kind == "Call" and isinstance(data.op, ir.Op):
            name = data.op.name.removeprefix("tirx.")
            if name == "buffer_data":
                return self.resolved(data.args[0])
            if name == "reinterpret":
                return self.memory(data.args[0])
            if name == "TVMBackendAllocWorkspace":
                return "workspace"
            raise NotExported(f"pointer {name}")
        raise NotExported(f"pointer {kind}")

    def _stmt_AttrStmt(self, s, depth):
        key = str(s.attr_key)
        if key in ("thread_extent", "virtual_thread"):
            if self.team is None and self.meets(s):
                self.begin_team(s, depth)
            else:
                self.threads_of(s.node.var, thread_tag(s), s.value, s.body, depth)
            return
        if self.has_no_value(s):
            self.stmt(s.body, depth)
            return
        raise NotExported(f"attr {key}")

    @staticmethod
    def has_no_value(s):
        return str(s.attr_key).startswith("pragma_") or str(s.attr_key) in _NO_VALUE

    def threads_of(self, var, tag, extent, body, depth):
        """A loop over threads. Within one of the same index it means the same threads."""
        name, dtype = self.names.of(var), dtype_of(var.ty, "loop variable")
        outer = self.threads.get(tag) if not tag.startswith("vthread") else None
        self.scalars.add(var)
        if outer is not None:
            if not same_expr(outer[1], extent):
                raise NotExported("a thread index launched again with another extent")
            if outer[0] != name:
                self.line(depth, f'{name}: T.let[T.{dtype}] = T.Cast("{dtype}", {outer[0]})')
            self.stmt(body, depth)
            return
        count = self.extent_text(tag, extent)
        self.line(depth, f'for {name} in T.thread_binding({count}, thread="{tag}"):')
        self.threads[tag] = (name, extent)
        self.body(body, depth + 1)
        self.threads.pop(tag, None)

    def extent_text(self, tag, extent):
        """How many threads there are: what the host launches, where that is known."""
        return self.launched.get(tag) or self.expr(extent)

    def _stmt_IfThenElse(self, s, depth):
        if self.passes_argument(s) or self.is_check_of_workspace(s):
            return
        self.line(depth, f"if {self.expr(s.condition)}:")
        self.body(s.then_case, depth + 1)
        if s.else_case is not None:
            self.line(depth, "else:")
            self.body(s.else_case, depth + 1)

    def is_check_of_workspace(self, s):
        """`if T.isnullptr(p): throw`, `if free(p) != 0: throw` of allocations: no values."""
        if type(s.then_case).__name__ != "Evaluate" or s.else_case is not None or \
                op_name(s.then_case.value) != "tvm_throw_last_error":
            return False
        free = find_call(s.condition, "TVMBackendFreeWorkspace")
        null = find_call(s.condition, "isnullptr")
        if null is not None:
            of = self.memory(null.args[0])
            return of == "workspace" or of in self.workspaces
        return free is not None

    def _stmt_Evaluate(self, s, depth):
        value = s.value
        if self.passes_argument(s):
            return
        if type(value).__name__ in ("IntImm", "FloatImm"):
            return
        if type(value).__name__ == "Call" and isinstance(value.op, ir.Op):
            name = value.op.name.removeprefix("tirx.")
            if name == "assume":
                self.line(depth, f"T.assume({self.expr(value.args[0])})")
                return
            if name == "continue_loop":
                self.line(depth, "continue")
                return
            if name == "break_loop":
                self.line(depth, "break")
                return
            if name == "call_extern":
                self.line(depth, f"T.evaluate({self.expr(value)})")
                return
            if name in ("prefetch",):
                return
            if name == "call_ffi_kernel":
                self.launch(str(value.args[0].value), list(value.args)[1:], depth)
                return
            if name in ("tvm_call_packed", "tvm_call_packed_lowered") and \
                    getattr(value.args[0], "value", "") == "__tvm_set_device":
                return
            if name == "tvm_call_packed_lowered":
                self.call_lowered(list(value.args), depth)
                return
            raise NotExported(name)
        if type(value).__name__ == "Call" and isinstance(value.op, ir.GlobalVar):
            self.launch(str(value.op.name_hint), list(value.args), depth)
            return
        self.line(depth, f"T.evaluate({self.expr(value)})")

    def _stmt_Return(self, s, depth):
        if not (is_int_const(s.value) and int(s.value.value) == 0):
            raise NotExported("return of a value")
        if self.packed is None:
            self.line(depth, "return")

    def _stmt_Break(self, s, depth):
        self.line(depth, "break")

    def _stmt_Continue(self, s, depth):
        self.line(depth, "continue")

    def _stmt_SBlockRealize(self, s, depth):
        block = s.block
        root = not block.iter_vars and depth == 1 and not block.match_buffers and \
            block.init is None and is_int_const(s.predicate)
        if root:
            for buffer in block.alloc_buffers:
                self.allocate(buffer, depth, "sblock_alloc_buffer")
            self.stmt(block.body, depth)
            return
        self.line(depth, f'with T.block("{self.names.fresh(block.name_hint or "block")}"):')
        depth += 1
        for v, value in zip(block.iter_vars, s.iter_values):
            kind = _AXES.get(int(v.iter_type))
            if kind is None:
                raise NotExported(f"iterator of kind {int(v.iter_type)}")
            lo, extent = v.dom.min, v.dom.extent
            if is_int_const(lo) and int(lo.value) == 0:
                dom = self.expr(extent)
            else:
                dom = f"({self.expr(lo)}, {self.expr(lo)} + {self.expr(extent)})"
            self.line(depth, f"{self.names.of(v.var)} = T.axis.{kind}({dom}, "
                             f"{self.expr(value)})")
        if not (is_int_const(s.predicate) and int(s.predicate.value) == 1):
            self.line(depth, f"T.where({self.expr(s.predicate)})")
        self.scalars.update(v.var for v in block.iter_vars)
        self.regions(block, depth)
        self.block_attributes(block, depth)
        for buffer in block.alloc_buffers:
            if buffer not in self.declared:
                self.allocate(buffer, depth)
        for match in block.match_buffers:
            self.window(match, depth)
        if block.init is not None:
            self.line(depth, "with T.init():")
            self.body(block.init, depth + 1)
        self.body(block.body, depth)

    def window(self, match, depth):
        region = ", ".join(
            f"{self.plain(r.min)}:{self.plain(r.min)} + {self.plain(r.extent)}"
            for r in match.source.region)
        buffer, ty = match.buffer, self.buffer_type(match.buffer)
        strides = list(ty.strides)
        free = [x for x in strides + [ty.elem_offset] if type(x).__name__ == "Var"]
        for var in free:
            if var not in self.scalars:
                self.line(depth, f"{self.names.of(var)} = T.int32()")
                self.scalars.add(var)
        text = f"T.match_buffer({self.buffer_name(match.source.source)}[{region}], " \
               f'{self.shape(ty.shape)}, "{dtype_of(ty.dtype, "window")}"'
        if strides:
            text += ", strides=[" + ", ".join(self.plain(x) for x in strides) + "]"
        if not self.zero_offset(ty):
            text += f", elem_offset={self.plain(ty.elem_offset)}"
        self.declare(buffer)
        self.line(depth, f"{self.names.of(buffer)} = {text})")
