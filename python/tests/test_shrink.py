"""Findings made small: the same cause with less of everything. Run by hand, as test_export.py."""

import ast
import os
import sys
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

import tvm
from tvm import s_tir
from tvm_ffi import structural_equal

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proviso_tvm import ValidatePasses, ValidateSchedule  # noqa: E402
from proviso_tvm.checker import Server, class_of, find_binary  # noqa: E402
from proviso_tvm.findings import groups_of, shrink_groups, write_findings  # noqa: E402
from proviso_tvm.pairs import Pair, cause_of  # noqa: E402
from proviso_tvm.schedule_corpus import hand_schedules  # noqa: E402
from proviso_tvm.shrink import Shrinker, forked  # noqa: E402
from proviso_tvm.source import NotASource, function_of, reductions, size, tree_of  # noqa: E402
from proviso_tvm.steps import repeat  # noqa: E402


def refuted_of(name):
    """The refuted pairs of a hand schedule and its compilation."""
    kept = []

    def wrap(sch):
        kept.append(ValidateSchedule(sch, program=name))
        return kept[0]
    mod = hand_schedules()[name](wrap)
    check = ValidatePasses(program=name, origin=kept[0].proviso_origin())
    with tvm.transform.PassContext(instruments=[check]):
        tvm.compile(mod, target="llvm")
    return [p for p in kept[0].proviso_pairs() + check.pairs() if p.verdict() == "REFUTED"]


class Shrinking(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(find_binary())

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def verdict(self, finding):
        answer = self.server.ask({"before": finding.before, "after": finding.after,
                                  "options": {"no_proof": True}})
        return class_of(answer), cause_of(Pair("", "", answer=answer))

    def test_a_primitive(self):
        (pair,) = refuted_of("sum_loop_partition")
        findings = [Shrinker(self.server).shrink(pair) for _ in range(2)]
        finding = findings[0]
        self.assertEqual(findings[0], findings[1])  # a function of the pair
        self.assertEqual(self.verdict(finding), ("REFUTED", cause_of(pair)))
        self.assertIn("A: T.Buffer((1, 3)", finding.source)
        self.assertEqual(finding.steps, ["loop_partition(loop 1 of B, [2, None])"])
        self.assertTrue(finding.compiled.startswith("differs: "), finding.compiled)
        self.assertIn("nothing that was tried makes it smaller", finding.ended)

    def test_a_pass(self):
        (pair,) = refuted_of("stages_compute_at_vectorized")
        finding = Shrinker(self.server).shrink(pair)
        self.assertEqual(self.verdict(finding), ("REFUTED", cause_of(pair)))
        self.assertIn("tirx.VectorizeLoop", finding.passes)
        self.assertLess(len(finding.passes), 8)  # of some 40
        self.assertIn("B[v_i] = A[v_i]\n", finding.source)
        self.assertTrue(finding.compiled.startswith("differs: "), finding.compiled)

    def test_the_number_of_tries_is_a_limit(self):
        (pair,) = refuted_of("sum_loop_partition")
        finding = Shrinker(self.server, tries=5).shrink(pair)
        self.assertEqual(finding.tries, 5)
        self.assertEqual(finding.ended, "ended after 5 tries: it may get smaller")

    # Trap: what is smaller is refuted for a reason of its own, and the first one is lost.
    def test_another_cause_is_another_finding(self):
        (pair,) = refuted_of("sum_loop_partition")
        first = {"before": pair.before, "after": pair.after}

        class Other:
            @staticmethod
            def ask(request):
                same = all(request[k] == first[k] for k in first)
                return pair.answer if same else \
                    {"verdict": "REFUTED", "reason": "data race: B[0] written twice"}
        finding = Shrinker(Other(), tries=30).shrink(pair)
        self.assertEqual((finding.before, finding.after), (pair.before, pair.after))

    # Trap: TVM's parser makes another program of what its printer has written.
    def test_a_program_that_the_parser_changes(self):
        (pair,) = refuted_of("floats_times_zero")
        with mock.patch("proviso_tvm.shrink.tree_of", side_effect=NotASource("another program")):
            finding = Shrinker(self.server).shrink(pair)
        self.assertIn("the program stays as it is", finding.did[0])
        self.assertEqual(self.verdict(finding)[0], "REFUTED")

    def test_what_cannot_be_made_again(self):
        (pair,) = refuted_of("sum_loop_partition")
        pair.origin = replace(pair.origin, steps=None, no_steps="a call of another kind")
        self.assertEqual(Shrinker(self.server).shrink(pair).ended,
                         "not made small: a call of another kind")

    def test_the_report(self):
        pairs = refuted_of("sum_loop_partition")
        self.assertEqual(list(groups_of(pairs)), [("loop_partition", "other values")])
        found = shrink_groups(pairs, Shrinker(self.server, tries=10).shrink, 1)
        with tempfile.TemporaryDirectory() as folder:
            text = write_findings(found, folder).read_text()
        self.assertIn("## loop_partition: other values", text)
        self.assertIn("Compiled code of the program: differs", text)


class Processes(unittest.TestCase):
    # Trap: TVM crashes on a candidate, and takes the campaign along.
    def test_a_candidate_that_crashes(self):
        self.assertIsNone(forked(os.abort))
        self.assertIsNone(forked(lambda: 1 // 0))
        self.assertEqual(forked(lambda: {"a": "b" * 200000}), {"a": "b" * 200000})

    def test_a_candidate_that_does_not_end(self):
        def endless():
            while True:
                pass
        self.assertIsNone(forked(endless, seconds=0.2))


class Steps(unittest.TestCase):
    def test_a_schedule_is_made_again(self):
        for name, build in hand_schedules().items():
            kept = []

            def wrap(sch, kept=kept, name=name):
                kept.append(ValidateSchedule(sch, program=name))
                return kept[0]
            try:
                mod = build(wrap)
            except Exception:  # refused by TVM, which has a test of its own
                continue
            origin = kept[0].proviso_origin()
            self.assertEqual(origin.no_steps, "", name)
            sch = s_tir.Schedule(origin.source)
            for step in origin.steps:
                repeat(sch, step)
            self.assertTrue(structural_equal(sch.mod, mod, map_free_vars=True), name)

    def test_reductions_are_smaller_programs(self):
        tree = tree_of(hand_schedules()["stages_inline"]()["main"])
        before = ast.unparse(tree)
        read = 0
        for did, other in reductions(tree):
            if size(other) < size(tree):
                try:
                    function_of(other)
                except Exception:  # no program any more
                    continue
                read += 1
            self.assertTrue(did)
        self.assertGreater(read, 10)
        self.assertEqual(ast.unparse(tree), before)  # none of them changes the tree


if __name__ == "__main__":
    unittest.main()
