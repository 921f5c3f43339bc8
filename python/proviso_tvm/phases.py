"""The threads of a block where they meet: their code in parts, each in a loop over the threads.

Where a loop over threads ends, they have waited for one another; inside of one there is no barrier.
So `for t: first; barrier; second` is written as `for t: first` and `for t: second`, and a loop that
has a barrier in it stands around the loops over threads. That is what the program means as long as
all threads come to each barrier: control around one must not depend on the thread, else there is
no text. Memory of one thread that lives on has the thread's index in front of its own.
"""

import re

from .errors import NotExported
from .expressions import dtype_of, is_int_const
from .facts import FactsOf, parts_of, thread_tag
from .meetings import IN_ORDER
from .team import Team

# The memory of which TVM's programs have no barriers until the pass ThreadSync has run for it: in
# this order in TVM's pipelines.
_SERIAL, _UNROLLED = 0, 3
_WORD = re.compile(r"[^\W\d]\w*")
UNSYNCED = ("shared", "shared.dyn", "warp")
TO_COME = "barriers to come (threads wait between statements on shared memory: ThreadSync is later)"


class Phases:
    """Mixed into the exporter. `phase` writes what the threads of a block do together."""

    def start_phases(self, to_come):
        self.to_come = to_come
        self.facts = FactsOf()
        self.team = None
        self.teams = []  # facts of the kernels that are taken apart
        self.deferred = []  # memory of blocks and threads, allocated before its kernel
        self.lead = {}  # buffer -> the thread indices that stand in front of its own
        self.cells = {}  # variable -> name of the buffer that keeps its value, thread by thread

    def unsynced(self, buffers):
        return any(self.scope_of(b) in self.to_come for b in buffers)

    def scope_of(self, buffer):
        return str(getattr(buffer.ty, "storage_scope", ""))

    def meets(self, s):
        """Whether the threads of a kernel have to be taken apart."""
        facts = self.facts(s)
        if not any(tag.startswith("threadIdx") for tag in facts.tags):
            return False
        return facts.meets or self.unsynced(facts.stored) or self._reduces(s)

    def _reduces(self, s):
        """Whether a reduction goes across threads."""
        tag, facts = thread_tag(s), self.facts(s)
        if tag.startswith("threadIdx"):
            var = s.loop_var if type(s).__name__ == "For" else s.node.var
            if var in facts.reduced:
                return True
        return bool(facts.reduced) and any(self._reduces(one) for one in parts_of(s))

    def look_for_teams(self, s):
        """Finds the kernels of a function that are taken apart."""
        if thread_tag(s).startswith(("threadIdx", "blockIdx")):
            if self.meets(s):
                self.teams.append(self.facts(s))
            return
        for one in parts_of(s):
            self.look_for_teams(one)

    # Memory.

    def of_a_team(self, buffer, tail):
        """Allocates memory of a block or of a thread; False: as everywhere else."""
        scope = self.scope_of(buffer)
        if not scope.startswith(("shared", "local")):
            return False
        if self.team is None:
            if any(buffer in facts.variables for facts in self.teams):
                self.deferred.append((buffer, tail))
                return True
            return False
        if self.team.inside and scope.startswith("local"):
            return False  # of one part of the code
        self._allocate(buffer, tail)
        return True

    def _allocate(self, buffer, tail):
        """In the loops over blocks, or later, where these are still to come."""
        if self.scope_of(buffer).startswith("local"):
            once = self.team.crossing.get(buffer, set()) | self._apart(buffer)
            self.lead[buffer] = [tag for tag in self.team.extents if tag not in once]
            if self.lead[buffer] and not self.compact(self.buffer_type(buffer)):
                raise NotExported("memory of a thread with strides")
        line = f"{self.names.of(buffer)} = T.alloc_buffer({self.shape_of_all(buffer)}{tail})"
        if self.team.blocks:
            self.team.waiting.append(line)
        elif self.team.inside:
            self.team.top.append("    " * self.team.depth + line)
        else:
            self.line(self.here, line)

    def _apart(self, buffer):
        """The thread indices that choose a buffer's cells; none where it has less than threads."""
        chosen, cells = self.team.apart.get(buffer, set()), self.cells_of(self.buffer_type(buffer))
        threads = self.threads_of_block(chosen)
        return chosen if cells is not None and cells >= threads else set()

    def shape_of_all(self, buffer):
        """The shape, with the extents of the threads in front where each has a part."""
        extents = [self.plain(self.team.extents[tag]) for tag in self.lead.get(buffer, ())]
        extents += [self.plain(e) for e in self.buffer_type(buffer).shape]
        return f"({', '.join(extents)}{',' if len(extents) == 1 else ''})"

    def leading(self, buffer):
        """The index of the thread, in front of the others; "" for other memory."""
        return self._lane_index(self.lead.get(buffer, ()))

    def _lane_index(self, tags):
        if any(tag not in self.team.lane for tag in tags):
            raise NotExported("memory of a thread outside of its loop")
        return "".join(f"{self.team.lane[tag]}, " for tag in tags)

    def cell(self, var):
        return f"{self.cells[var]}[{self._lane_index(self.team.extents)}0]"

    # Kernels.

    def begin_team(self, s, depth):
        """A kernel. Its loops over blocks come first."""
        extents = {}
        self._extents(s, extents)
        facts = self.facts(s)
        self.team = Team(extents, {tag for tag in facts.tags if tag.startswith("blockIdx")} -
                         set(self.threads))
        if facts.blocks:
            self._look_at_stores(s, {}, not facts.lowered)
        self.here = depth
        if self.unsynced(facts.stored):
            self.relations.add(TO_COME)
        if not self.team.blocks:
            self._begin_block(depth)
        for row in self.deferred:
            if row[0] in facts.variables:
                self._allocate(*row)
        self.phase(s, depth)
        self.flush()
        self.lines[self.team.begin:self.team.begin] = self.team.top
        self.team = None

    def _begin_block(self, depth):
        self.team.depth, self.team.begin = depth, len(self.lines)
        for line in self.team.waiting:
            self.line(depth, line)
        self.team.waiting = []

    def _look_at_stores(self, s, bound, crossing):
        """Which memory of a program with blocks is no thread's own: what reductions across threads
        store to, and buffers whose cells are chosen by the thread (they are made small later).

        `bound`: the thread indices that variables depend on.
        """
        tag, facts, kind = thread_tag(s), self.facts(s), type(s).__name__
        if tag.startswith("threadIdx"):
            bound = {**bound, self._bound(s)[0]: {tag}}
        if kind == "SBlockRealize":
            over = set().union(*(bound.get(v, set()) for v in facts.reduced)) \
                if crossing and not self.facts(s.block.body).blocks else set()
            for buffer in facts.stored if over else ():
                self.team.crossing.setdefault(buffer, set()).update(over)
            for v, value in zip(s.block.iter_vars, s.iter_values):
                self.team.values.bind(v.var, value, True)
        elif kind == "BufferStore":
            chosen = set().union(*(bound.get(v, set()) for e in s.indices for v in
                                   self.facts(self.team.values.simplify(e)).variables))
            chosen &= self.team.apart.get(s.buffer, chosen)
            self.team.apart[s.buffer] = chosen
        for one in parts_of(s):
            self._look_at_stores(one, bound, crossing)

    def _bound(self, s):
        if type(s).__name__ == "For":
            if not (is_int_const(s.min) and int(s.min.value) == 0):
                raise NotExported("loop over threads that does not begin at 0")
            return s.loop_var, s.extent
        return s.node.var, s.value

    def _extents(self, s, out):
        tag = thread_tag(s)
        if tag.startswith("threadIdx"):
            extent = self._bound(s)[1]
            known = out.get(tag)
            if known is not None and not (is_int_const(known) and is_int_const(extent)):
                raise NotExported("a thread index of several sizes")
            if known is None or int(known.value) < int(extent.value):
                out[tag] = extent
        for one in parts_of(s):
            self._extents(one, out)

    @staticmethod
    def _same_extent(a, b):
        if not (is_int_const(a) and is_int_const(b) and int(a.value) == int(b.value)):
            raise NotExported("a thread index launched again with another extent")

    # Statements that the threads of a block run together.

    def uniform(self, *expressions):
        """Whether all threads of a block compute the same value."""
        facts = [self.facts(e) for e in expressions]
        return not any(f.loaded or f.variables & self.team.varying for f in facts)

    def apart(self, s):
        """Whether a statement has to be taken apart."""
        facts, kind = self.facts(s), type(s).__name__
        if facts.meets:
            return True
        bound = {axis[0] for axis in self.team.axes} | set(self.threads)
        if facts.tags - bound:
            return True
        several = kind not in ("BufferStore", "Evaluate")
        block = getattr(s, "block", None)
        if kind == "For":
            serial = thread_tag(s) or int(s.kind) in (_SERIAL, _UNROLLED)
            several = serial and self.uniform(s.min, s.extent)
        elif kind == "IfThenElse":
            several = self.uniform(s.condition)
        elif kind == "SBlockRealize":
            several = self.facts(block.body).blocks and block.init is None and \
                not block.match_buffers and self.uniform(s.predicate)
        if not several:
            return False
        if facts.lists and facts.reduced & set(self.team.index_of):
            return True
        return self.unsynced(facts.stored)

    def phase(self, s, depth):
        method = getattr(self, "_phase_" + type(s).__name__, None)
        always = type(s).__name__ in ("AllocBuffer", "DeclBuffer", "Bind", "SeqStmt")
        self.here = depth
        if not always and not self.apart(s):
            self._unit(s)
        elif method is None:
            raise NotExported(f"threads that meet in a statement {type(s).__name__}")
        else:
            method(s, depth)

    def _inside(self, s, depth):
        """A list of its own."""
        self.flush()
        before, outside = len(self.lines), self.here
        self.phase(s, depth)
        self.flush()
        self.here = outside
        if len(self.lines) == before:
            self.line(depth, "pass")

    def _phase_SeqStmt(self, s, depth):
        for one in s.seq:
            self.phase(one, depth)

    def _phase_AllocBuffer(self, s, depth):
        if s.buffer not in self.declared:
            self.allocate(s.buffer, depth, annotations=s.annotations)

    def _phase_DeclBuffer(self, s, depth):
        ty = self.buffer_type(s.buffer)
        if not self.uniform(*ty.shape, *ty.strides, ty.elem_offset):
            raise NotExported("view that differs among threads")
        self._stmt_DeclBuffer(s, depth)

    def _phase_Bind(self, s, depth):
        if type(s.var.ty).__name__ == "PointerType" or self.uniform(s.value):
            self._stmt_Bind(s, depth)
            return
        dtype = dtype_of(s.var.ty, "let")
        self.team.varying.add(s.var)
        if not self.facts(s.value).loaded:
            self._let(s.var, dtype, self.expr(s.value))
            return
        # The value of this moment: memory may change before it is used.
        name = self.names.of(s.var)
        self.cells[s.var] = name
        extents = "".join(f"{self.plain(e)}, " for e in self.team.extents.values())
        self.line(depth, f'{name} = T.alloc_buffer(({extents}1), "{dtype}", scope="local")')
        self._add(self.facts(s.value),
                  lambda at: self.line(at, f"{self.cell(s.var)} = {self.expr(s.value)}"))
        self.scalars.add(s.var)

    def _let(self, var, dtype, text):
        self.scalars.add(var)
        self.team.varying.add(var)
        self.team.lets.append((self.names.of(var), dtype, text))

    def _phase_For(self, s, depth):
        if thread_tag(s):
            self._bind_threads(s, depth)
            return
        if int(s.kind) not in (_SERIAL, _UNROLLED):
            raise NotExported("threads that meet in a loop that is not serial")
        if not self.uniform(s.min, s.extent):
            raise NotExported("threads that meet in a loop that differs among them")
        self.flush()
        self.scalars.add(s.loop_var)
        self.loop_line(s, depth)
        self._inside(s.body, depth + 1)

    def _phase_AttrStmt(self, s, depth):
        if thread_tag(s):
            self._bind_threads(s, depth)
        elif str(s.attr_key) == "reduce_scope":
            outer, self.team.reducer = self.team.reducer, s.node
            self.phase(s.body, depth)
            self.team.reducer = outer
        elif self.has_no_value(s):
            self.phase(s.body, depth)
        else:
            raise NotExported(f"attr {s.attr_key}")

    def _bind_threads(self, s, depth):
        tag = thread_tag(s)
        var, extent = self._bound(s)
        dtype = dtype_of(var.ty, "loop variable")
        self.flush()
        if not tag.startswith("threadIdx"):
            self._bind_blocks(s, tag, var, extent, dtype, depth)
            return
        outer = [axis for axis in self.team.axes if axis[0] == tag]
        kept = len(self.team.lets)
        self.team.index_of[var] = tag
        self.scalars.add(var)
        self.team.varying.add(var)
        if outer:
            self._same_extent(outer[0][3], extent)
            self._let(var, dtype, f'T.Cast("{dtype}", {outer[0][1]})')
        else:
            self.team.axes.append((tag, self.names.of(var), dtype, extent))
        self.phase(s.body, depth)
        self.flush()
        del self.team.lets[kept:]
        if not outer:
            self.team.axes.pop()

    def _bind_blocks(self, s, tag, var, extent, dtype, depth):
        """Blocks, and virtual threads: a loop around those over threads."""
        name = self.names.of(var)
        self.scalars.add(var)
        if tag in self.threads:
            self._same_extent(self.threads[tag][1], extent)
            self.line(depth, f'{name}: T.let[T.{dtype}] = T.Cast("{dtype}", '
                             f"{self.threads[tag][0]})")
            self.phase(s.body, depth)
            return
        if not self.uniform(extent):
            raise NotExported(f"{tag} whose extent differs among threads")
        self.line(depth, f"for {name} in T.thread_binding({self.extent_text(tag, extent)}, "
                         f'thread="{tag}"):')
        if tag.startswith("blockIdx"):
            self.threads[tag] = (name, extent)
            self.team.blocks.discard(tag)
            if not self.team.blocks:
                self._begin_block(depth + 1)
        self._inside(s.body, depth + 1)
        self.threads.pop(tag, None)

    def _phase_IfThenElse(self, s, depth):
        if not self.uniform(s.condition):
            raise NotExported("threads that meet under a condition that differs among them")
        self.flush()
        self.line(depth, f"if {self.expr(s.condition)}:")
        self._inside(s.then_case, depth + 1)
        if s.else_case is not None:
            self.line(depth, "else:")
            self._inside(s.else_case, depth + 1)

    def _phase_SBlockRealize(self, s, depth):
        block = s.block
        if block.init is not None or block.match_buffers:
            raise NotExported("threads that meet in a block with an initialisation or a window")
        if not (is_int_const(s.predicate) and int(s.predicate.value) == 1):
            if not self.uniform(s.predicate):
                raise NotExported("threads that meet in a block whose predicate differs")
            self.flush()
            self.line(depth, f"if {self.expr(s.predicate)}:")
            depth += 1
        for v, value in zip(block.iter_vars, s.iter_values):
            dtype = dtype_of(v.var.ty, "let")
            if self.uniform(value):
                self.scalars.add(v.var)
                self.line(depth, f"{self.names.of(v.var)}: T.let[T.{dtype}] = {self.expr(value)}")
            else:
                self._let(v.var, dtype, self.expr(value))
        for buffer in block.alloc_buffers:
            if buffer not in self.declared:
                self.here = depth
                self.allocate(buffer, depth)
        self._inside(block.body, depth)

    # Parts.

    def _unit(self, s):
        facts = self.facts(s)
        crossing = [v for v in self.team.index_of if v in facts.reduced and
                    any(b in self.team.crossing for b in facts.stored)]
        if crossing:
            self.relations.add(IN_ORDER)
            self.flush()
        self._add(facts, lambda at: self.stmt(s, at))
        if crossing:
            self.flush({self.team.index_of[v] for v in crossing})

    def _add(self, facts, write):
        stores, loads = self.unsynced(facts.stored), self.unsynced(facts.loaded)
        if (self.team.stores and (stores or loads)) or (self.team.loads and stores):
            self.flush()
        if self.team.blocks:
            raise NotExported("statements of a kernel around its loops over blocks")
        wide = self._lanes_missing(facts)
        if wide:
            self.flush()
        self.team.run.append(write)
        self.team.stores |= stores
        self.team.loads |= loads
        if wide:
            self.flush(wide=wide)

    def _lanes_missing(self, facts):
        """Of a statement outside of the loops over some threads: "all" of them run it, where it
        stores to their memory, or "one", where it only reads it; else ""."""
        bound = {axis[0] for axis in self.team.axes}

        def misses(buffers):
            return {b for b in buffers if not bound.issuperset(self.lead.get(b, ()))}
        if misses(facts.stored):
            if facts.stored - misses(facts.stored):
                raise NotExported("memory of a thread outside of its loop")
            return "all"
        return "one" if misses(facts.loaded) else ""

    def flush(self, serial=(), wide=""):
        """Writes a part: loops over the threads around what has been gathered."""
        team = self.team
        run, team.run, team.stores, team.loads = team.run, [], False, False
        if not run:
            return
        axes = list(team.axes)
        bound = {axis[0] for axis in axes}
        if wide == "all":
            axes += [(tag, self.names.fresh(tag), "int32", extent)
                     for tag, extent in team.extents.items() if tag not in bound]
        axes.sort(key=lambda axis: axis[0] in serial)
        depth, outside = self.here, self.lines
        self.lines, team.lane = [], {tag: name for tag, name, _, _ in axes}
        for tag, name, _, extent in axes:
            self.threads[tag] = (name, extent)
        if wide == "one":
            team.lane.update({tag: "0" for tag in team.extents if tag not in bound})
        team.inside = True
        for write in run:
            write(depth + len(axes))
        team.inside = False
        inside, self.lines = self.lines, outside
        for k, (tag, name, _, extent) in enumerate(axes):
            count = self.extent_text(tag, extent)
            over = f"T.serial({count})" if tag in serial else \
                f'T.thread_binding({count}, thread="{tag}")'
            self.line(depth + k, f"for {name} in {over}:")
            self.threads.pop(tag)
        self.lines += self._lets_for(inside, depth + len(axes)) + inside
        team.lane = {}

    def _lets_for(self, lines, depth):
        """Names that these lines mention, and those that they are computed from."""
        if not self.team.lets:
            return []
        mentioned, out = set(_WORD.findall("\n".join(lines))), []
        for name, dtype, value in reversed(self.team.lets):
            if name in mentioned:
                out.append("    " * depth + f"{name}: T.let[T.{dtype}] = {value}")
                mentioned.update(_WORD.findall(value))
        return out[::-1]
