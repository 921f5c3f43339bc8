"""ValidateSchedule: each primitive of a schedule as a pair."""

from tvm import s_tir

from .checker import Checker, shared_checker
from .layout import relation
from .pairs import Origin, changed, make_pair, settle, table_text, write_report
from .passes import functions_of
from .steps import CannotRepeat, repeat, step_of
from .twins import NoTwin, is_large, twin_of


class ValidateSchedule:
    """Stands for a `tvm.s_tir.Schedule`: hands each call on, and compares what it changed.

        sch = ValidateSchedule(tvm.s_tir.Schedule(mod))
        i, j = sch.get_loops(sch.get_sblock("B"))
        sch.reorder(j, i)
        print(sch.proviso_summary())
    """

    def __init__(self, sch, report=None, checker=None, program="", sizes="twins",
                 claims=False, **options):
        if sizes not in ("twins", "real"):
            raise ValueError(f'sizes are "twins" or "real", not "{sizes}"')
        self._sch = sch
        self._report = report
        self._checker = checker if checker is not None else \
            Checker(**options) if options else shared_checker()
        self._program = program
        self._pairs = []
        self._claims = claims
        self._later = []  # calls whose pairs wait for a twin, which has to know all of them
        self._asked = 0  # how many of them the pairs are of
        self._twins = sizes == "twins" and len(functions_of(sch.mod)) == 1 and \
            "main" in functions_of(sch.mod) and is_large(sch.mod["main"])
        self.proviso_source = sch.mod
        self.proviso_steps = []  # calls that have changed the program, or None: see below
        self.proviso_no_steps = ""  # why they cannot be made again

    def _step(self, name, args, keywords):
        try:
            return step_of(self._sch, name, args, keywords)
        except CannotRepeat as why:
            return f"{name}: {why}"
        except Exception as wrong:  # a block or a loop that is gone: TVM refuses the call itself
            return f"{name}: {type(wrong).__name__}"

    def _record(self, step):
        if isinstance(step, str):
            self.proviso_steps, self.proviso_no_steps = None, step
        elif self.proviso_steps is not None:
            self.proviso_steps.append(step)

    def proviso_origin(self):
        """What leads to the program as it is now."""
        return Origin(self.proviso_source,
                      None if self.proviso_steps is None else tuple(self.proviso_steps),
                      self.proviso_no_steps)

    def __getattr__(self, name):
        target = getattr(self._sch, name)
        if not callable(target):
            return target

        def call(*args, **keywords):
            before = functions_of(self._sch.mod)
            said = ", ".join([self._told(a) for a in args] +
                             [f"{k}={self._told(v)}" for k, v in keywords.items()])
            step = self._step(name, args, keywords)
            result = target(*args, **keywords)
            after = functions_of(self._sch.mod)
            different = [f for f in after if f in before and changed(before[f], after[f])]
            if different:
                self._record(step)
            for function in different:
                asked = (name, function, before[function], after[function], said, args, keywords)
                self._later.append((asked, self.proviso_origin()))
            if not self._twins:
                self._ask()
            return result

        return call

    def _ask(self, no_twin=""):
        """Makes the pairs of the program as it is."""
        for asked, origin in self._later:
            pair = self._pair(*asked)
            pair.origin, pair.no_twin = origin, no_twin
            self._pairs.append(pair)
        if not self._twins:
            self._later = []

    def _ask_twin(self):
        """Makes the schedule again on a twin; where there is none, the real sizes are taken."""
        origin = self.proviso_origin()
        try:
            if origin.steps is None:
                raise NoTwin(origin.no_steps)
            small, told = twin_of(origin.source, origin.steps)
        except NoTwin as why:
            self._ask(f"{self._program}: {why}")
            return
        again = ValidateSchedule(s_tir.Schedule(small), checker=self._checker,
                                 program=self._program, sizes="real", claims=self._claims)
        for step in origin.steps:
            repeat(again, step)
        self._pairs = again._pairs
        for pair in self._pairs:
            pair.twins = told

    def proviso_asked(self):
        """The pairs, without waiting for their answers."""
        if self._twins and self._later and len(self._later) != self._asked:
            self._asked = len(self._later)
            self._pairs = []
            self._ask_twin()
        return self._pairs

    def _pair(self, name, function, before, after, said, args, keywords):
        layouts, other = None, False
        if name == "transform_layout":
            layouts = relation(before, after, *args, **keywords)
            other = layouts is None and any(
                not a.same_as(b) for a, b in zip(before.params, after.params))
        pair = make_pair(self._checker, name, function, before, after, self._program,
                         detail=said[:200], layouts=layouts, claims=self._claims)
        if other and not pair.not_exported:
            # The same cells at other places: comparing cell by cell would say nothing.
            pair.future = None
            pair.answer = {"error": {"message": "parameter in another layout, by a relation that "
                                                "is not stated"}}
        return pair

    def _told(self, value):
        """An argument as the schedule's reader knows it: names of blocks and loops."""
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join(self._told(v) for v in value) + "]"
        kind = type(value).__name__
        if kind in ("SBlockRV", "LoopRV"):
            try:
                object_ = self._sch.get(value)
            except Exception:  # of another schedule, or gone: TVM says so itself
                return kind
            return str(object_.name_hint if kind == "SBlockRV" else object_.loop_var.name)
        return "..." if callable(value) else str(value)

    def proviso_pairs(self):
        settle(self.proviso_asked())
        if self._report is not None:
            write_report(self._pairs, self._report)
        return self._pairs

    def proviso_summary(self):
        return table_text(self.proviso_pairs())
