"""Twins: programs at small sizes for those at real ones. Run by hand, as test_export.py."""

import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import tvm
from tvm import s_tir, te

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proviso_tvm import ValidatePasses, ValidateSchedule  # noqa: E402
from proviso_tvm.corpus import large, module  # noqa: E402
from proviso_tvm.pairs import table_text, write_report  # noqa: E402
from proviso_tvm.steps import Loop, Step  # noqa: E402
from proviso_tvm.twins import NoTwin, factors_of, twin_of  # noqa: E402


def stages(n):
    A = te.placeholder((n,), "float32", name="A")
    B = te.compute((n,), lambda i: A[i] + te.const(1.0, "float32"), name="B")
    C = te.compute((n,), lambda i: B[i] * te.const(2.0, "float32"), name="C")
    return tvm.IRModule({"main": te.create_prim_func([A, C])})


def vectorized(n, **more):
    """A schedule that TVM compiles to wrong code."""
    sch = ValidateSchedule(s_tir.Schedule(stages(n)), program="stages", **more)
    (i,) = sch.get_loops(sch.get_sblock("C"))
    _, ii = sch.split(i, [None, 4])
    sch.compute_at(sch.get_sblock("B"), ii)
    sch.vectorize(ii)
    return sch


class Twins(unittest.TestCase):
    def told(self, mod, *steps):
        return twin_of(mod, steps)[1]

    def test_remainders_are_kept(self):
        split = Step("split", (Loop("C", 0), (None, 4)))
        self.assertEqual(factors_of([split]), [4])
        for n, small in ((126, 6), (127, 7), (128, 8), (129, 5)):
            self.assertEqual(self.told(stages(n), split), f"{n} → {small}")

    # Trap: a halo or a product of extents that does not fit them any more.
    def test_what_belongs_together(self):
        told = self.told(module(large()["large_conv2d"]))
        self.assertIn("56 → 4, 57 → 5, 58 → 6", told)
        self.assertIn("28 → 4, 56 → 8", self.told(module(large()["large_conv2d_stride"])))
        self.assertEqual(self.told(module(large()["large_flatten"])), "512 → 4, 25088 → 196")

    # Trap: a twin with a fault, which every program refines.
    def test_a_twin_with_a_fault_is_none(self):
        A = te.placeholder((100,), "float32", name="A")
        B = te.compute((80,), lambda i: A[i + 20] * te.const(2.0, "float32"), name="B")
        mod = tvm.IRModule({"main": te.create_prim_func([A, B])})
        with self.assertRaises(NoTwin):
            twin_of(mod)
        sch = ValidateSchedule(s_tir.Schedule(mod), program="far")
        sch.parallel(sch.get_loops(sch.get_sblock("B"))[0])
        (pair,) = sch.proviso_pairs()
        self.assertEqual(pair.verdict(), "at its sizes")
        self.assertIn("far: what was made small is no program any more", pair.no_twin)

    def test_the_answer_says_so(self):
        sch = vectorized(130)
        pairs = sch.proviso_pairs()
        self.assertEqual([p.verdict() for p in pairs], ["at twins"] * 3)
        self.assertEqual({p.twins for p in pairs}, {"130 → 6"})
        self.assertIn("T.Buffer((6,)", pairs[0].before)
        self.assertIn("at twins", table_text(pairs))
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn("3 pairs are of a twin: 130 → 6",
                          write_report(pairs, folder).read_text())

    def test_real_sizes(self):
        pairs = vectorized(130, sizes="real").proviso_pairs()
        self.assertEqual([p.verdict() for p in pairs], ["at its sizes"] * 3)
        self.assertEqual({p.twins for p in pairs}, {""})
        self.assertRaises(ValueError, ValidatePasses, sizes="some")

    def test_calls_after_the_answers(self):
        sch = vectorized(130)
        self.assertEqual(len(sch.proviso_pairs()), 3)
        sch.annotate(sch.get_loops(sch.get_sblock("C"))[0], "some", 1)
        self.assertEqual([p.step for p in sch.proviso_pairs()],
                         ["split", "compute_at", "vectorize", "annotate"])

    def test_passes_of_a_twin(self):
        sch = vectorized(130)
        check = ValidatePasses(program="stages", origin=sch.proviso_origin())
        built = check.compile(sch.mod)
        wrong = check.refuted()
        self.assertEqual([p.step for p in wrong], ["tirx.VectorizeLoop"])
        self.assertEqual(wrong[0].twins, "130 → 6")
        memory = [tvm.runtime.tensor(np.zeros(130, dtype="float32")) for _ in range(2)]
        built["main"](*memory)  # what is compiled has the real sizes
        self.assertEqual(memory[1].numpy()[0], 2.0)


if __name__ == "__main__":
    unittest.main()
