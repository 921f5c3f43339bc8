"""ValidatePasses: each pass of a compilation as a pair, for `tvm.transform.PassContext`."""

from tvm import ir, tirx

from .checker import Checker
from .pairs import changed, make_pair, settle, table_text, write_report


def functions_of(mod):
    return {gv.name_hint: f for gv, f in mod.functions.items() if isinstance(f, tirx.PrimFunc)}


class ValidatePasses(ir.instrument.PassInstrument):
    """An instrument that compares what each pass was given with what it made.

        check = ValidatePasses(report="report")
        with tvm.transform.PassContext(instruments=[check]):
            tvm.compile(mod, target="llvm")
        print(check.summary())

    A pass that runs other passes is no pair: they are. Comparisons run beside the compilation;
    `pairs()` waits for them.
    """

    __slots__ = ("__dict__",)

    def __init__(self, report=None, checker=None, program="", **options):
        super().__init__()
        self.report = report
        self.checker = checker if checker is not None else Checker(**options)
        self.program = program
        self._stack = []
        self._pairs = []

    def run_before_pass(self, mod, info):
        for frame in self._stack:
            frame[1] = True
        self._stack.append([mod, False])

    def run_after_pass(self, mod, info):
        before, composite = self._stack.pop()
        if composite:
            return
        was, now = functions_of(before), functions_of(mod)
        for name, function in now.items():
            if name in was and changed(was[name], function):
                pair = make_pair(self.checker, info.name, name, was[name], function,
                                 self.program)
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
