import unittest

import proviso
from common import COPY, EXAMPLES
from proviso import T


def row_sum(sch):
    block = sch.get_block("row_sum")
    sch.transform_layout(block, "A", lambda i, j: [i, j // 4, j % 4], pad_value=0.0)
    sch.sequential_buffer_access(block, "A")
    sch.remove_branching_through_overcompute(block=block)
    sch.simplify()


class Functions(unittest.TestCase):
    def test_a_function_gives_the_log_of_its_text_byte_for_byte(self):
        program = proviso.parse(EXAMPLES / "row_sum.py")
        by_function = program.lower(row_sum)
        by_text = program.lower(program.schedule_text(row_sum))
        self.assertEqual(by_function.log.bytes, by_text.log.bytes)
        by_file = program.lower(EXAMPLES / "row_sum.sch.py")
        self.assertEqual(by_function.text, by_file.text)
        self.assertEqual(by_function.steps, by_file.steps)

    def test_elements_lengths_and_extents_are_known(self):
        seen = {}

        def tile(sch):
            i, j = sch.get_loops("copy")
            seen["extents"] = [i.extent, j.extent, sch.get(j).extent]
            if j.extent % 4 == 0:
                outer, inner = sch.split(j, factors=[None, 4])
                sch.vectorize(inner)
            seen["names"] = [loop.name for loop in sch.get_loops("copy")]
            last = sch.get_loops("copy")[-1]
            seen["last"] = last.name
            for loop in sch.get_loops("copy")[:1]:
                sch.parallel(loop)

        lowered = proviso.parse(COPY).lower(tile)
        self.assertEqual(seen, {"extents": [4, 8, 8], "names": ["i", "j_0", "j_1"], "last": "j_1"})
        self.assertIn("for j_1 in T.vectorized(4)", lowered.text)
        self.assertIn("for i in T.parallel(4)", lowered.text)

    def test_inside_of_a_loop(self):
        def inside(sch):
            with sch.inside(sch.loop("i")) as s:
                s.cache_read("copy", "A", "local")
                lanes, = s.get_loops("copy")
                s.vectorize(lanes)
            sch.simplify()

        text = proviso.parse(COPY).schedule_text(inside)
        self.assertEqual(text, 'r1 = sch.loop("i")\nwith sch.inside(r1) as s1:\n'
                               '    s1.cache_read("copy", "A", "local")\n'
                               '    r4 = s1.get_loops("copy")\n    s1.vectorize(r4[0])\nsch.simplify()\n')
        self.assertIn("A_local", proviso.parse(COPY).lower(inside).text)

    def test_values_from_around(self):
        lanes, condition = 4, T.name("A")

        def assumed(sch):
            sch.transform_layout("copy", "A", lambda i, j: [i, j // lanes, T.max(j % lanes, 0)])
            sch.assume("copy", lambda i, j: (i < 4) & ~(j > 7) | (condition[i, j] == -1))

        text = proviso.parse(COPY).schedule_text(assumed)
        self.assertIn("lambda i, j: [i, (j // 4), T.max((j % 4), 0)]", text)
        self.assertIn("lambda i, j: (((i < 4) and (not (j > 7))) or (A[i, j] == -1))", text)

    def test_a_refusal_has_its_place_in_the_function(self):
        def races(sch):
            i, j = sch.get_loops("row_sum")
            sch.parallel(j)  # the refused call

        with self.assertRaises(proviso.Refused) as caught:
            proviso.parse(EXAMPLES / "row_sum.py").lower(races)
        error = caught.exception
        self.assertEqual((error.primitive, error.verdict), ("parallel", "REFUTED"))
        self.assertTrue(error.values)
        self.assertEqual(error.file, __file__)
        with open(__file__, encoding="utf-8") as file:
            self.assertIn("# the refused call", file.readlines()[error.line - 1])
        self.assertIn("data race", str(error))
        self.assertTrue(error.hint)

    def test_mistakes_are_errors_with_a_hint(self):
        program = proviso.parse(COPY)

        def unknown(sch):
            sch.tile("copy", 8)

        def choice(sch):
            sch.assume("copy", lambda i, j: i < 4 and j < 8)  # trap: `and` would drop `i < 4`

        def starred(sch):
            sch.transform_layout("copy", "A", lambda *i: list(i))

        def foreign(sch):
            sch.annotate("copy", "key", object())

        def infinite(sch):
            sch.transform_layout("copy", "A", lambda i, j: [j, i], pad_value=float("inf"))

        def nothing(sch):
            with sch.inside(sch.loop("i")):
                pass

        for function in (unknown, choice, starred, foreign, infinite, nothing, 3):
            with self.assertRaises(proviso.Error) as caught:
                program.lower(function)
            if function is not infinite:
                self.assertTrue(caught.exception.hint, function)

    def test_texts_of_the_schedule_are_kept(self):
        def named(sch):
            sch.annotate(sch.loop("i"), "key \"quoted\"\\", "päd")

        lowered = proviso.parse(COPY).lower(named)
        self.assertEqual(lowered.calls[-1]["steps"], 1)

    def test_an_empty_function_is_no_schedule(self):
        program = proviso.parse(COPY)
        self.assertEqual(program.lower(lambda sch: None).text, program.lower().text)

    def test_composites_that_belong_to_proviso(self):
        lowered = proviso.parse(EXAMPLES / "row_sum.py").lower(
            'from tiles import tile\ntile(sch, "row_sum", size=9)\n')
        self.assertIn("range(9)", lowered.text)


if __name__ == "__main__":
    unittest.main()
