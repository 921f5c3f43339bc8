import importlib.util
import json
import pickle
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

import notebook
import proviso
from common import COPY, EXAMPLES
from proviso import display

TUTORIAL = EXAMPLES / "tutorial.ipynb"
VOID = {"meta", "hr", "br"}


class Page(HTMLParser):
    """Tags that are opened and closed in order, and the text between them."""

    def __init__(self, html):
        super().__init__()
        self.open, self.text, self.tags, self.wrong = [], "", [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        if self.open[-1:] != ["style"]:
            self.text += data


class Shown(unittest.TestCase):
    def page(self, what):
        page = Page(what._repr_html_())
        self.assertEqual((page.open, page.wrong), ([], []))
        return page

    def test_a_program_is_its_text(self):
        program = proviso.parse(EXAMPLES / "mlp.py")
        self.assertEqual(self.page(program).text.strip(), str(program).strip())

    def test_a_lowering_has_its_steps_with_what_they_change(self):
        lowered = proviso.parse(EXAMPLES / "row_sum.py").lower(EXAMPLES / "row_sum.sch.py")
        page = self.page(lowered)
        self.assertEqual(page.tags.count("details") - 4, len(lowered.steps))
        for text in ("transform_layout, line 2", "drop-guard", "changed nothing".capitalize(), lowered.duties[0]):
            self.assertIn(text, page.text)
        # From the source, what the steps change leads to the result.
        lines = lowered.source.splitlines()
        for step in lowered._edits():
            for edit in reversed(step):
                lines[edit["line"] - 1:edit["line"] - 1 + edit["removed"]] = edit["added"].splitlines()
        self.assertEqual(lines, lowered.text.splitlines())
        self.assertEqual(len(lowered.diffs), len(lowered.steps))
        self.assertIn("-                S[vi] = S[vi] + A[vi, vj]\n", lowered.diffs[0])

    def test_steps_of_an_imported_function_have_the_line_that_called_it(self):
        lowered = proviso.parse(EXAMPLES / "row_sum.py").lower(
            'from tiles import tile\n\ntile(sch, "row_sum", size=9)\n')
        self.assertEqual({s.get("line") for s in lowered.steps if s["call"] != "lower"}, {3})

    def test_what_a_file_brings_along_stays_text(self):
        # traps: a block's name that ends the element, a character that turns the writing round
        evil = '</pre><script>alert(1)</script>\u202e'
        program = proviso.parse(COPY.replace('"copy"', '"%s"' % evil.replace("\u202e", "")))
        self.assertNotIn("script", self.page(program).tags)
        self.assertNotIn("script", self.page(program.lower()).tags)
        error = proviso.Error(evil, hint=evil)
        error.notes, error.file, error.line, error.column, error.source_line = [evil + "\n" + evil], evil, 1, 3, evil
        page = self.page(error)
        self.assertNotIn("script", page.tags)
        self.assertIn("\\u202e", page.text)
        answer = proviso.Proof("<b>", 1, {}, evil, {evil: evil}, evil)
        page = self.page(answer)
        self.assertFalse({"script", "b"} & set(page.tags))
        self.assertNotIn("\x1b[2J", "".join(proviso.Error("\x1b[2J")._render_traceback_()))

    def test_what_is_long_is_cut_and_says_so(self):
        long = "\n".join(f"x{k} = {k}" for k in range(display.MOST_LINES + 7))
        self.assertIn("and 7 more lines", Page(display.program_html(long)).text)

    def test_a_refusal_has_carets(self):
        def races(sch):
            sch.parallel(sch.get_loops("row_sum")[1])

        with self.assertRaises(proviso.Refused) as caught:
            proviso.parse(EXAMPLES / "row_sum.py").lower(races)
        error = caught.exception
        line, caret = error.excerpt.splitlines()
        self.assertIn("sch.parallel(sch.get_loops", line)
        self.assertEqual(caret.index("^"), line.index("sch.parallel"))  # of Python's line, and no text's
        self.assertIn("^^^^", self.page(error).text)
        try:
            proviso.parse("@T.prim_func\ndef f(A: T.Buffer((4,), \"int32\")):\n\tA[0] = ß + B[0]\n")
        except proviso.Error as wrong:
            line, caret = wrong.excerpt.splitlines()
            shown = "\n".join(wrong._render_traceback_())
        self.assertEqual(caret[:1], "\t")  # as wide as in the line above
        self.assertIn("\n  " + line + "\n  " + caret, shown)
        self.assertIn("called in " + __file__, shown)

    def test_of_a_long_line_what_is_around_the_place_is_shown(self):
        with self.assertRaises(proviso.Error) as caught:
            proviso.prove("x + " * 1000 + "+ > 1")
        line, caret = caught.exception.excerpt.splitlines()
        self.assertLess(len(line), 200)
        self.assertEqual(line[len(caret) - 1], ">")
        self.assertLess(len(str(caught.exception)), 1000)

    def test_answers(self):
        for answer, text in (
            (proviso.prove("x * x > x", given=["x >= 0"]), "values"),
            (proviso.simplify("(x * 8) // 4"), "x * 2"),
            (proviso.solve("invert", "i -> i // 4, i % 4", extents={"i": 16}), "p0 * 4 + p1"),
            (proviso.check(COPY, COPY.replace("= A[vi", "= 1 + A[vi")), "inputs"),
            (proviso.bounds(EXAMPLES / "two_stages.py"), "bounds"),
            (proviso.audit("no-such-log"), "no-such-log"),
        ):
            page = self.page(answer)
            self.assertIn(answer.verdict, page.text)
            self.assertIn(text, page.text)

    def test_an_error_goes_from_process_to_process(self):
        with self.assertRaises(proviso.Refused) as caught:
            proviso.parse(EXAMPLES / "row_sum.py").lower('sch.parallel(sch.loop("j"))')
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((type(again), str(again), again.values),
                         (proviso.Refused, str(caught.exception), caught.exception.values))


class Tutorial(unittest.TestCase):
    def test_the_notebook_gives_what_it_shows(self):
        """`python notebook.py ../../examples/tutorial.ipynb` writes what it gives into it."""
        count = 0
        for cell, printed, values, raised in notebook.run(TUTORIAL):
            count += 1
            meant = notebook.RAISES in cell["metadata"].get("tags", [])
            self.assertEqual(raised is not None, meant, raised)
            given = notebook.outputs_of(printed, values, raised, count)
            for stored, now in zip(cell["outputs"], given, strict=True):
                self.assertEqual(stored["output_type"], now["output_type"])
                for key in ("text", "ename", "evalue"):
                    self.assertEqual(stored.get(key), now.get(key))
                told = stored.get("data", {})
                self.assertEqual(told.get("text/plain"), now.get("data", {}).get("text/plain"))
                self.assertEqual(set(told), set(now.get("data", {})))
                if "text/html" in told:
                    page = Page("".join(now["data"]["text/html"]))
                    self.assertEqual((page.open, page.wrong), ([], []))
        self.assertGreater(count, 12)

    @unittest.skipUnless(importlib.util.find_spec("nbclient") and importlib.util.find_spec("ipykernel"),
                         "nbclient and ipykernel are not installed")
    def test_the_notebook_in_a_kernel(self):
        import nbclient
        import nbformat

        book = nbformat.read(TUTORIAL, as_version=4)
        nbformat.validate(book)
        with tempfile.TemporaryDirectory() as folder:
            nbclient.NotebookClient(book, timeout=600, kernel_name="python3",
                                    resources={"metadata": {"path": folder}}).execute()
        stored = json.loads(Path(TUTORIAL).read_text(encoding="utf-8"))["cells"]
        for cell, now in zip(stored, book.cells, strict=True):
            for was, is_now in zip(cell.get("outputs", []), now.get("outputs", []), strict=True):
                self.assertEqual(was["output_type"], is_now["output_type"])
                if was["output_type"] == "error":
                    self.assertIn("^^^^", "\n".join(is_now["traceback"]))
                    self.assertIn("sch.remove_branching_through_overcompute(block=block)",
                                  "\n".join(is_now["traceback"]))
                if "data" in was:
                    self.assertEqual(set(was["data"]), set(is_now["data"]))


if __name__ == "__main__":
    unittest.main()
