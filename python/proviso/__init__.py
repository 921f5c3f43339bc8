"""Proviso: tensor programs rewritten by schedules, with a proof of each step.

>>> import proviso
>>> program = proviso.parse('''
... @T.prim_func
... def scale(A: T.Buffer((10,), "float32"), B: T.Buffer((10,), "float32")):
...     for i in range(10):
...         with T.block("scale"):
...             vi = T.axis.spatial(10, i)
...             B[vi] = A[vi] * T.float32(2)
... ''')
>>> lowered = program.lower(lambda sch: sch.parallel(sch.get_loops("scale")[0]))
>>> lowered.log.audit().verdict
'VERIFIED'
"""

from ._native import version as __version__
from .errors import Error, Refused
from .expressions import Expr, T
from .programs import Log, Lowered, Program, parse
from .questions import (Answer, Audit, Bounds, Comparison, Proof, Simplified, audit, bounds, check,
                        prove, simplify, solve)
from .schedule import Schedule, Value
from .tvm import from_tvm

__all__ = [
    "Answer", "Audit", "Bounds", "Comparison", "Error", "Expr", "Log", "Lowered", "Program", "Proof",
    "Refused", "Schedule", "Simplified", "T", "Value", "audit", "bounds", "check", "from_tvm", "parse", "prove",
    "simplify", "solve",
]
