"""Where threads of a block meet: barriers, shuffles of a warp, reductions across threads.

Each is written as parts: all threads give a value, then each takes what it gets. A shuffle takes the
value of another lane of its warp, its own where that is outside of the width, and nothing definite
where there is no such lane. A reduction combines the values in the order of the threads, which is
one of the orders that TVM's code may take.
"""

from .errors import NotExported
from .expressions import dtype_of, is_int_const
from .facts import MEETINGS
from .packed import op_name

_WARP = 32
IN_ORDER = "threads in their order (a reduction across threads is a loop over them)"


class Meetings:
    """Mixed into the exporter, beside Phases."""

    def _phase_BufferStore(self, s, depth):
        name = op_name(s.value)
        if name not in MEETINGS or len([1 for e in (s.value, *s.indices)
                                        if self.facts(e).meets]) != 1:
            raise NotExported("a shuffle within an expression")
        self.flush()
        if name.endswith("activemask"):
            threads = self.threads_of_block()
            if threads > _WARP and threads % _WARP:
                raise NotExported("a mask of threads of a warp that is not full")
            full = (1 << min(threads, _WARP)) - 1
            self._add(self.facts(s), lambda at: self.line(
                at, f"{self.place(s)} = T.uint32({full})"))
            return
        self._shuffle(s, name)

    def _phase_Evaluate(self, s, depth):
        name = op_name(s.value)
        if name == "tvm_storage_sync":
            scope = str(getattr(s.value.args[0], "value", ""))
            small = scope == "warp" and self.threads_of_block() <= _WARP
            if scope not in ("shared", "shared.dyn") and not small:
                raise NotExported(f"tvm_storage_sync of {scope}")
            self.flush()
        elif name == "tvm_thread_allreduce":
            self._allreduce(list(s.value.args))
        else:
            raise NotExported(name)

    def threads_of_block(self, tags=None):
        count = 1
        for tag, extent in self.team.extents.items():
            if tags is not None and tag not in tags:
                continue
            if not is_int_const(extent):
                raise NotExported("lanes of a block of symbolic size")
            count *= int(extent.value)
        return count

    def _memory(self, name, extents, dtype, scope):
        name = self.names.fresh(name)
        inner = "".join(f"{e}, " for e in extents) or "1,"
        self.line(self.here, f'{name} = T.alloc_buffer(({inner.rstrip()}), "{dtype}", '
                             f'scope="{scope}")')
        return name

    def _all_bound(self):
        if {axis[0] for axis in self.team.axes} != set(self.team.extents):
            raise NotExported("threads that meet where not all of them are")

    def _shuffle(self, s, name):
        """All lanes give a value, then each takes that of another one."""
        self._all_bound()
        args, count = list(s.value.args), self.threads_of_block()
        width = args[3]
        if not is_int_const(width) or (len(args) > 4 and not (
                is_int_const(args[4]) and int(args[4].value) == _WARP)):
            raise NotExported("a shuffle of an unusual width")
        width = int(width.value)
        dtype = dtype_of(s.value.ty, "shuffle")
        given = self._memory("lanes", [count], dtype, "shared")

        def lane():
            text = ""
            for tag in reversed(sorted(self.team.extents)):  # x is the fastest
                own = self.team.lane[tag]
                extent = int(self.team.extents[tag].value)
                text = f"({text} * {extent} + {own})" if text else own
            return text

        def give(at):
            self.line(at, f"{given}[{lane()}] = {self.expr(args[1])}")

        def take(at):
            by = self.expr(args[2])
            own, first = lane(), f"({lane()}) // {width} * {width}"
            rank = f"({own}) % {width}"
            other, inside = {
                "down": (f"{own} + {by}", f"{rank} + {by} < {width}"),
                "up": (f"{own} - {by}", f"{rank} - {by} >= 0"),
                "": (f"{first} + {by} % {width}", "True"),
            }["down" if "down" in name else "up" if "_up" in name else ""]
            self.line(at, f"if {inside}:")
            self.line(at + 1, f"if {other} < {count}:")
            self.line(at + 2, f"{self.place(s)} = {given}[{other}]")
            self.line(at + 1, "else:")  # a lane that does not exist
            self.line(at + 2, f'{self.place(s)} = T.undef("{dtype}")')
            self.line(at, "else:")
            self.line(at + 1, f"{self.place(s)} = {given}[{own}]")

        self._add(self.facts(s.value), give)
        self.flush()
        self._add(self.facts(s), take)

    def _allreduce(self, args):
        """Each thread has the result: the values of all of them, combined in their order."""
        self.flush()
        self._all_bound()
        reducer, count = self.team.reducer, int(args[0].value)
        if reducer is None:
            raise NotExported("tvm_thread_allreduce without a reducer")
        values, condition = args[1:1 + count], args[1 + count]
        results, over = args[2 + count:2 + 2 * count], args[2 + 2 * count:]
        if any(e not in self.team.index_of for e in over):
            raise NotExported("tvm_thread_allreduce over what is no thread index")
        over = {self.team.index_of[e] for e in over}
        tags = list(self.team.extents)
        others = [tag for tag in tags if tag not in over]
        size = self.team.extents
        dtypes = [dtype_of(v.ty, "reduction") for v in values]
        given = [self._memory("given", [self.plain(size[t]) for t in tags], d, "local")
                 for d in dtypes]
        total = [self._memory("total", [self.plain(size[t]) for t in others], d, "shared")
                 for d in dtypes]

        def index(of):
            return ", ".join(self.team.lane[t] for t in of) or "0"

        def give(at):
            for name, value, unit in zip(given, values, reducer.identity_element):
                text = self.expr(value)
                if not (is_int_const(condition) and int(condition.value) == 1):
                    text = f"T.if_then_else({self.expr(condition)}, {text}, {self.expr(unit)})"
                self.line(at, f"{name}[{index(tags)}] = {text}")

        def combine(at):
            first = " and ".join(f"{self.team.lane[t]} == 0" for t in sorted(over))
            self.line(at, f"if {first}:")
            for a, b in zip(total, given):
                self.line(at + 1, f"{a}[{index(others)}] = {b}[{index(tags)}]")
            self.line(at, "else:")
            for side, names, of in ((reducer.lhs, total, others), (reducer.rhs, given, tags)):
                for var, name, d in zip(side, names, dtypes):
                    self.scalars.add(var)
                    self.line(at + 1, f"{self.names.of(var)}: T.let[T.{d}] = {name}[{index(of)}]")
            for name, result in zip(total, reducer.result):
                self.line(at + 1, f"{name}[{index(others)}] = {self.expr(result)}")

        def take(at):
            for name, result in zip(total, results):
                if type(result).__name__ != "TensorLoad":
                    raise NotExported("tvm_thread_allreduce to what is no cell")
                self.line(at, f"{self.buffer_name(result.source)}"
                              f"[{self.cell_index(result.source, result.indices)}] = "
                              f"{name}[{index(others)}]")

        if any(len(side) != count for side in (reducer.lhs, reducer.rhs, reducer.result)):
            raise NotExported("tvm_thread_allreduce of another number of values")
        self.relations.add(IN_ORDER)
        for write, serial in ((give, ()), (combine, over), (take, ())):
            self.team.run.append(write)
            self.flush(serial)
