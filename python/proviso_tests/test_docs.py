import doctest
import importlib
import pkgutil
import unittest

import proviso
from common import ROOT

PUBLIC_WITHOUT_EXAMPLE = {
    # What these are is said by the functions that give them.
    "Answer", "Audit", "Bounds", "Comparison", "Log", "Lowered", "Program", "Proof", "Refused",
    "Simplified", "T", "Value",
}


class Docs(unittest.TestCase):
    def test_examples_in_docstrings_are_as_they_say(self):
        tried = 0
        for found in pkgutil.iter_modules(proviso.__path__, "proviso."):
            if found.name == "proviso._native":
                continue
            result = doctest.testmod(importlib.import_module(found.name))
            self.assertEqual(result.failed, 0, found.name)
            tried += result.attempted
        self.assertEqual(doctest.testmod(proviso).failed, 0)
        self.assertGreater(tried, 30)

    def test_every_public_name_has_a_docstring_and_functions_an_example(self):
        for name in proviso.__all__:
            text = getattr(proviso, name).__doc__
            self.assertTrue(text, name)
            if name not in PUBLIC_WITHOUT_EXAMPLE:
                self.assertIn(">>>", text, name)

    def test_the_page_is_as_it_says(self):
        result = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False)
        self.assertEqual(result.failed, 0)
        self.assertGreater(result.attempted, 10)

    def test_the_stub_has_every_primitive(self):
        code: dict = {"__name__": "stub"}
        exec((ROOT / "python" / "native" / "schedule_stub.py").read_text(), code)
        self.assertEqual((ROOT / "python" / "proviso" / "schedule.pyi").read_text(), code["stub"]())


if __name__ == "__main__":
    unittest.main()
