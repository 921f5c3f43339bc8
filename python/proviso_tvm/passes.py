"""ValidatePasses: each pass of a compilation as a pair, for `tvm.transform.PassContext`."""

from dataclasses import replace

import tvm
from tvm import ir, tirx

from .checker import Checker, shared_checker
from .packed import is_kernel, is_packed
from .phases import UNSYNCED
from .pairs import Origin, changed, make_pair, settle, table_text, write_report
from .twins import NoTwin, is_large, scheduled, twin_of


def functions_of(mod):
    return {gv.name_hint: f for gv, f in mod.functions.items() if isinstance(f, tirx.PrimFunc)}


def kernels_of(functions):
    """Those that run on a device: a host function launches them, and has their bodies in its
    place."""
    return {name: f for name, f in functions.items() if is_kernel(f)}


class ValidatePasses(ir.instrument.PassInstrument):
    """An instrument that compares what each pass was given with what it made.

        check = ValidatePasses(report="report")
        with tvm.transform.PassContext(instruments=[check]):
            tvm.compile(mod, target="llvm")
        print(check.summary())

    What is compiled in a context has its real sizes. `check.compile(mod, "llvm")` compares the
    passes on a small twin, where `mod` is large, and compiles `mod`. A list of passes is no
    pair: they are. Comparisons run beside the compilation;
    `pairs()` waits for them.
    """

    __slots__ = ("__dict__",)

    def __init__(self, report=None, checker=None, program="", origin=None, only=None,
                 sizes="twins", claims=False, **options):
        super().__init__()
        if sizes not in ("twins", "real"):
            raise ValueError(f'sizes are "twins" or "real", not "{sizes}"')
        self.sizes = sizes
        self.claims = claims  # whether T.reads and T.writes are compared, too
        self.twins = self.no_twin = ""  # of the module that is compiled now
        self.report = report
        self.checker = checker if checker is not None else \
            Checker(**options) if options else shared_checker()
        self.program = program
        self.origin = origin  # what leads to the module that is compiled, to make findings small
        self.only = only  # names of passes, or None: of all
        self._stack = []
        self._pairs = []
        self._unpacked = {}  # the functions as they were before MakePackedAPI
        self._kernels = {}  # last seen: the host's passes do not see them
        self._kept = {}  # exports
        self._to_come = {}  # function -> scopes of memory that ThreadSync has not run for

    def small(self, mod, origin=None):
        """The module whose passes are compared: with `sizes="twins"` and large extents a twin of
        `mod`, made before the schedule that leads to it (`origin`), else `mod` itself."""
        origin = origin if origin is not None else self.origin or Origin(mod)
        self.origin, self.twins, self.no_twin = origin, "", ""
        functions = functions_of(origin.source)
        if self.sizes == "real" or list(functions) != ["main"] or \
                not is_large(functions["main"]):
            return mod
        try:
            if origin.steps is None:
                raise NoTwin(origin.no_steps)
            twin, self.twins = twin_of(origin.source, origin.steps)
        except NoTwin as why:
            self.no_twin = f"{self.program}: {why}"
            return mod
        self.origin = replace(origin, source=twin)
        return scheduled(twin, origin.steps)

    def compile(self, mod, target="llvm", config=None):
        """Compiles the module, and compares the passes: those of a twin where it is large."""
        small = self.small(mod)
        with tvm.transform.PassContext(instruments=[self], config=config or {}):
            built = tvm.compile(small, target=target)
        if not self.twins:
            return built
        with tvm.transform.PassContext(config=config or {}):
            return tvm.compile(mod, target=target)

    def run_before_pass(self, mod, info):
        for frame in self._stack:
            frame[1] = True
        self._stack.append([mod, False])

    def run_after_pass(self, mod, info):
        before, composite = self._stack.pop()
        if composite and "." not in info.name:
            return
        was, now = functions_of(before), functions_of(mod)
        old, new = kernels_of(was), kernels_of(now)
        self._unpacked.update({n: f for n, f in was.items() if not is_packed(f)})
        self._kernels.update({**old, **new})
        self._follow(info.name, was, now)
        if self.only is not None and info.name not in self.only:
            return
        hosts = [name for name in now if name not in new]
        for name in hosts or now:
            if name not in was:
                continue
            other = changed(was[name], now[name])
            if hosts and not other:
                other = any(k not in old or changed(old[k], new[k]) for k in new)
            if other:
                pair = make_pair(self.checker, info.name, name, was[name], now[name],
                                 self.program, kernels=({**self._kernels, **old},
                                                        {**self._kernels, **new}),
                                 unpacked=self._unpacked.get(name), claims=self.claims,
                                 to_come=(self._scopes(was[name]), self._scopes(now[name])),
                                 kept=self._kept)
                pair.origin = self.origin
                pair.twins, pair.no_twin = self.twins, self.no_twin
                self._pairs.append(pair)

    def _scopes(self, function):
        if is_packed(function) or is_kernel(function):
            return ()
        return self._to_come.get(function, UNSYNCED)

    def _follow(self, step, was, now):
        """Barriers come with ThreadSync, which TVM's pipelines run for one scope after another."""
        for name, function in now.items():
            left = self._scopes(was[name]) if name in was else ()
            self._to_come[function] = left[1:] if step.endswith(".ThreadSync") else left

    def pairs(self):
        """All pairs so far, each with its answer."""
        settle(self._pairs)
        if self.report is not None:
            write_report(self._pairs, self.report)
        return self._pairs

    def refuted(self):
        return [p for p in self.pairs() if p.verdict() == "REFUTED"]

    def summary(self):
        return table_text(self.pairs())
