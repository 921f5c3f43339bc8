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

    def test_a_schedule_that_would_not_run_is_an_error(self):
        # trap: a function with `yield` or `async` runs nothing, and the program stays as it is
        def generator(sch):
            yield sch.parallel(sch.loop("i"))

        async def coroutine(sch):
            sch.parallel(sch.loop("i"))

        for function in (generator, coroutine):
            with self.assertRaisesRegex(proviso.Error, "a function that returns"):
                proviso.parse(COPY).lower(function)

    def test_a_value_of_another_schedule_is_an_error(self):
        # trap: its name is that of another line here
        kept = []
        program = proviso.parse(COPY)
        program.lower(lambda sch: kept.append(sch.get_loops("copy")[1]))

        def other(sch):
            sch.get_loops("copy")
            sch.parallel(kept[0])

        with self.assertRaisesRegex(proviso.Error, "another lowering"):
            program.lower(other)
        with self.assertRaisesRegex(proviso.Error, "another lowering"):
            program.lower(lambda sch: sch.assume("copy", lambda i, j: i < kept[0]))

    def test_an_exception_in_a_function_is_the_callers(self):
        def fails(sch):
            try:
                with sch.inside(sch.loop("i")) as s:
                    s.simplify()
                    raise KeyError("mine")
            except KeyError:
                sch.simplify()  # trap: it would be written inside of the loop
                raise

        program = proviso.parse(COPY)
        with self.assertRaisesRegex(KeyError, "mine"):
            program.lower(fails)

        def goes_on(sch):
            try:
                fails(sch)
            except KeyError:
                pass

        self.assertTrue(program.schedule_text(goes_on).endswith("\nsch.simplify()\n"))
        with self.assertRaises(RecursionError):
            def endless(sch):
                endless(sch)

            program.lower(endless)

    def test_no_text_gets_into_a_schedule_as_a_name(self):
        program = proviso.parse(COPY)
        for function in (lambda sch: getattr(sch, "simplify()\nsch.simplify")(),
                         lambda sch: sch.split(sch.loop("i"), **{"factors=[2], x": 3}),
                         lambda sch: sch.annotate("copy", "a\0b", 1),
                         lambda sch: sch.transform_layout("copy", "A", max),
                         lambda sch: sch.split(sch.loop("i"), factors=[None, 10**5000])):
            with self.assertRaises(proviso.Error):
                program.lower(function)
        lowered = program.lower(lambda sch: sch.annotate("copy", 'k")\nsch.parallel("', 1))
        self.assertEqual([call["primitive"] for call in lowered.calls], ["annotate"])

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
