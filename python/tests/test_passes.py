"""ValidatePasses, ValidateSchedule and the checker process.

Run by hand: `PROVISO=build/release/proviso python -m unittest discover -s python/tests`.
"""

import json
import random
import sys
import tempfile
import unittest
from pathlib import Path

import tvm
from tvm import s_tir, te

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proviso_tvm import Checker, ValidatePasses, ValidateSchedule  # noqa: E402
from proviso_tvm.checker import CLASSES, Server, class_of, find_binary  # noqa: E402
from proviso_tvm.confirm import confirm, parse_inputs  # noqa: E402
from proviso_tvm.corpus import module, operators  # noqa: E402
from proviso_tvm.edits import edit  # noqa: E402
from proviso_tvm.fuzz import one_case  # noqa: E402
from proviso_tvm.pairs import COLUMNS, table, write_report  # noqa: E402
from proviso_tvm.schedule_corpus import hand_schedules  # noqa: E402

GOOD = """@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i] // 3
"""
SHORT = GOOD.replace("range(4)", "range(3)")


class Checking(unittest.TestCase):
    def test_answers_and_their_classes(self):
        checker = Checker()
        other = GOOD.replace("i]", "3 - i]")
        futures = [checker.compare(GOOD, x) for x in (GOOD, other, SHORT, "nothing",
                                                      GOOD.replace("(4,)", "(5,)"))]
        answers = [f.result() for f in futures]
        checker.close()
        self.assertTrue(answers[0]["same_text"])
        self.assertEqual([class_of(a) for a in answers[1:]],
                         ["at its sizes", "REFUTED", "not read", "relation"])

    def test_an_answer_is_kept_by_content(self):
        with tempfile.TemporaryDirectory() as folder:
            cache = Path(folder) / "cache.jsonl"
            for hits in (0, 1):
                checker = Checker(cache=cache)
                self.assertEqual(class_of(checker.compare(GOOD, SHORT).result()), "REFUTED")
                self.assertEqual(checker.hits, hits)
                checker.close()
            cache.write_text(cache.read_text()[:40])  # cut off: asked again
            checker = Checker(cache=cache)
            checker.compare(GOOD, SHORT).result()
            self.assertEqual(checker.hits, 0)
            checker.close()

    def test_a_checker_that_ends_is_started_again(self):
        server = Server(find_binary())
        request = {"before": GOOD, "after": SHORT}
        self.assertEqual(server.ask(request)["verdict"], "REFUTED")
        server.process.kill()
        server.process.wait()
        self.assertEqual(server.ask(request)["verdict"], "REFUTED")
        server.close()


class Passes(unittest.TestCase):
    def validated(self, mod):
        check = ValidatePasses()
        with tvm.transform.PassContext(instruments=[check]):
            tvm.compile(mod, target="llvm")
        return check

    def test_each_pass_of_a_right_compilation(self):
        check = self.validated(module(operators()["softmax"]))
        self.assertEqual({p.verdict() for p in check.pairs()} - {"same text", "same but checks",
                                                                 "at its sizes"},
                         set())
        steps = [p.step for p in check.pairs()]
        self.assertIn("tirx.FlattenBuffer", steps)
        self.assertNotIn("sequential", steps)  # its passes are the pairs
        packed = [p for p in check.pairs() if p.step == "tirx.MakePackedAPI"]
        self.assertEqual(packed[0].verdict(), "same but checks")
        self.assertRegex(packed[0].relations[0],
                         r"^packed arguments \(\d+ checks hold of a legal call, \d+ wrong")

    def test_a_pass_that_is_wrong(self):
        mod = hand_schedules()["stages_compute_at_vectorized"]()
        check = self.validated(mod)
        (wrong,) = check.refuted()
        self.assertEqual(wrong.step, "tirx.VectorizeLoop")
        refuting, _ = confirm(wrong.objects[0], mod["main"], wrong.answer["inputs"])
        self.assertIn("by compiled code", refuting)

    def test_the_report(self):
        check = self.validated(hand_schedules()["stages_compute_at_vectorized"]())
        with tempfile.TemporaryDirectory() as folder:
            summary = write_report(check.pairs(), folder).read_text()
            self.assertIn("| tirx.VectorizeLoop | 1 | 1 |", summary)
            rows = [json.loads(x) for x in (Path(folder) / "pairs.jsonl").read_text().splitlines()]
            (bad,) = [r for r in rows if r["verdict"] == "REFUTED"]
            self.assertTrue((Path(folder) / f"{bad['number']:05}.before.py").exists())
        for row in table(check.pairs()):
            self.assertEqual(len(row), len(COLUMNS))
            self.assertEqual(sum(row[3:]), row[2])  # every exported pair has one class
        self.assertEqual(COLUMNS[3:], CLASSES)


class Schedules(unittest.TestCase):
    def test_each_primitive_is_a_pair(self):
        kept = []

        def wrap(sch):
            kept.append(ValidateSchedule(sch))
            return kept[0]
        hand_schedules()["matmul_tile"](wrap)
        pairs = kept[0].proviso_pairs()
        self.assertEqual([p.step for p in pairs], ["split", "split", "reorder"])
        self.assertEqual({p.verdict() for p in pairs}, {"at its sizes"})
        self.assertEqual(pairs[0].detail, "i, [None, 4]")

    def test_a_primitive_that_is_wrong(self):
        kept = []

        def wrap(sch):
            kept.append(ValidateSchedule(sch))
            return kept[0]
        hand_schedules()["sum_loop_partition"](wrap)
        (pair,) = kept[0].proviso_pairs()
        self.assertEqual(pair.verdict(), "REFUTED")
        self.assertTrue(confirm(*pair.objects)[1])

    def layout(self, index_map, which, **more):
        A = te.placeholder((6, 6), "float32", name="A")
        B = te.compute((6, 6), lambda i, j: A[i, j] * te.const(2, "float32"), name="B")
        sch = ValidateSchedule(s_tir.Schedule(
            tvm.IRModule({"main": te.create_prim_func([A, B])})))
        sch.transform_layout(sch.get_sblock("B"), (which, 0), index_map, **more)
        return sch.proviso_pairs()[0]

    # Trap: a square parameter has the same shape after the change, and other contents.
    def test_a_layout_is_a_relation(self):
        for which, name in (("read", "A"), ("write", "B")):
            for index_map in (lambda i, j: [j, i], lambda i, j: [i, j // 3, j % 3],
                              lambda i, j: [i * 6 + j]):
                pair = self.layout(index_map, which)
                self.assertEqual(pair.verdict(), "at its sizes", pair.answer)
                self.assertEqual(pair.relations, [f"layout of {name}"])


    # Trap: a change of layout whose relation is not known, compared cell by cell.
    def test_a_layout_without_its_relation(self):
        pair = self.layout(lambda i, j: [j, i], "write", pad_value=0.0)
        self.assertEqual(pair.verdict(), "relation")


class Campaigns(unittest.TestCase):
    def test_inputs_of_a_refutation(self):
        mod = hand_schedules()["sum_relu_fuse_epilogue"]()
        values = parse_inputs("A = 0.0 but for [0, 5] = -1.0, [1, 6] = nan, "
                              "C = [0.0, 1.0, 2.0, 3.0, inf]", mod["main"])
        self.assertEqual(values[0][0, 5], -1.0)
        self.assertTrue(values[0][1, 6] != values[0][1, 6])
        self.assertEqual(list(values[1]), [0.0, 1.0, 2.0, 3.0, float("inf")])
        self.assertIsNone(parse_inputs("A = 0.0 in all cells, C = [0.0, …]", mod["main"]))

    def test_a_case_is_a_function_of_its_number(self):
        class Nobody:
            @staticmethod
            def compare(before, after):
                return None
        texts = [[(p.step, p.before, p.after) for p in one_case(7, Nobody())[0]]
                 for _ in range(2)]
        self.assertEqual(texts[0], texts[1])

    def test_an_edit_changes_the_text(self):
        rng = random.Random(1)
        made = [edit(GOOD, rng) for _ in range(40)]
        self.assertTrue(all(m is None or m[0] != GOOD for m in made))
        self.assertGreater(len({m[0] for m in made if m is not None}), 3)


if __name__ == "__main__":
    unittest.main()
