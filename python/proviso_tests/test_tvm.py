"""With TVM's released wheel, where it is installed."""

import sys
import unittest

import numpy as np
import proviso
from common import COPY, EXAMPLES, ROOT

sys.path.append(str(ROOT / "python"))  # after the built package: proviso_tvm
try:
    import tvm
    from proviso_tvm import confirm, corpus
    from tvm import te
except ImportError:
    tvm = None


@unittest.skipIf(tvm is None, "TVM is not installed")
class Tvm(unittest.TestCase):
    def test_a_hundred_programs_there_and_back(self):
        tried = []
        for name, build in corpus.operators().items():
            try:
                program = proviso.from_tvm(te.create_prim_func(build()))
            except proviso.Error as why:
                self.assertIn("not exported", str(why), name)
                continue
            self.assertEqual(str(proviso.from_tvm(program.to_tvm())), str(program), name)
            lowered = program.lower()
            again = proviso.from_tvm(lowered.to_tvm())
            if str(again) != lowered.text:  # TVM has no `-x` of floats
                self.assertTrue(proviso.check(lowered.text, again), name)
            tried.append(name)
        self.assertGreaterEqual(len(tried), 100)

    def test_what_tvm_compiles_gives_the_same(self):
        for name in ("matmul", "sum_1", "multiply_int32", "argmax_1", "clip"):
            function = te.create_prim_func(corpus.operators()[name]())
            inputs = confirm.random_inputs(function, 3)
            lowered = proviso.from_tvm(function).lower()
            names = [p.name for p in function.params]
            ours = lowered.run(dict(zip(names, inputs)))
            theirs = dict(zip(names, confirm.run_tvm(lowered.to_tvm(), inputs)))
            self.assertTrue(ours)
            for buffer, cells in ours.items():
                np.testing.assert_allclose(cells, theirs[buffer], rtol=1e-5, atol=1e-6, err_msg=name)

    def test_a_scheduled_program_goes_on_in_tvm(self):
        lowered = proviso.parse(EXAMPLES / "row_sum.py").lower(EXAMPLES / "row_sum.sch.py")
        function = lowered.to_tvm()
        self.assertEqual(list(function.params[0].ty.shape), [5, 7, 4])
        schedule = tvm.s_tir.Schedule(proviso.parse(COPY).to_tvm())
        self.assertEqual(len(schedule.get_loops(schedule.get_sblock("copy"))), 2)

    def test_modules(self):
        two = proviso.parse(COPY + COPY.replace("def f", "def g"))
        module = two.to_tvm()
        self.assertEqual(sorted(str(v.name_hint) for v in module.get_global_vars()), ["f", "g"])
        self.assertEqual(proviso.from_tvm(module).functions, ("f", "g"))
        self.assertEqual(proviso.from_tvm(two["g"].to_tvm()).functions, ("g",))

    def test_what_is_not_exported_is_an_error(self):
        with self.assertRaisesRegex(proviso.Error, "not exported: tan"):
            proviso.from_tvm(te.create_prim_func(corpus.operators()["tan"]()))
        with self.assertRaisesRegex(proviso.Error, "no function or module of TVM: int"):
            proviso.from_tvm(3)

    def test_another_program_is_seen(self):
        # trap: what TVM reads is believed to be what was written
        import proviso.tvm as bridge

        spellings = dict(bridge._SPELLINGS)
        bridge._SPELLINGS["max"] = "min"
        try:
            program = proviso.from_tvm(te.create_prim_func(corpus.operators()["relu"]()))
            with self.assertRaisesRegex(proviso.Error, "another program .* REFUTED"):
                program.to_tvm()
        finally:
            bridge._SPELLINGS.clear()
            bridge._SPELLINGS.update(spellings)


@unittest.skipIf(tvm is not None, "TVM is installed")
class WithoutTvm(unittest.TestCase):
    def test_it_is_said(self):
        with self.assertRaisesRegex(proviso.Error, "TVM is not installed"):
            proviso.parse(COPY).to_tvm()


if __name__ == "__main__":
    unittest.main()
