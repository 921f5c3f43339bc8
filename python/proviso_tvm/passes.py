"""ValidatePasses: each pass of a compilation as a pair, for `tvm.transform.PassContext`."""

from tvm import ir, tirx

from .checker import Checker, shared_checker
from .packed import is_kernel, is_packed
from .pairs import changed, make_pair, settle, table_text, write_report


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

    A list of passes is no pair: they are. Comparisons run beside the compilation;
    `pairs()` waits for them.
    """

    __slots__ = ("__dict__",)

    def __init__(self, report=None, checker=None, program="", origin=None, only=None, **options):
        super().__init__()
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
                                 unpacked=self._unpacked.get(name))
                pair.origin = self.origin
                self._pairs.append(pair)

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
