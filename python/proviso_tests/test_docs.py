import ast
import doctest
import importlib
import inspect
import pkgutil
import re
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

    def test_every_method_has_a_docstring_and_is_in_an_example(self):
        examples = ""
        for found in pkgutil.iter_modules(proviso.__path__, "proviso."):
            if found.name != "proviso._native":
                module = importlib.import_module(found.name)
                for test in doctest.DocTestFinder().find(module, module.__name__):
                    examples += "".join(example.source for example in test.examples)
        for name in proviso.__all__:
            what = getattr(proviso, name)
            # The primitives of a schedule have their page.
            if not inspect.isclass(what) or what in (proviso.Schedule, proviso.Value):
                continue
            for member, value in vars(what).items():
                if member.startswith("_") or not (callable(value) or isinstance(value, property)):
                    continue
                self.assertTrue(value.__doc__, f"{name}.{member}")
                self.assertIn("." + member, examples, name)
        for member in vars(proviso.Schedule):
            if not member.startswith("_"):
                self.assertTrue(getattr(proviso.Schedule, member).__doc__, member)

    def test_the_stub_of_the_native_module_has_what_it_has(self):
        tree = ast.parse((ROOT / "python" / "proviso" / "_native.pyi").read_text())

        def arguments(function):
            return len(function.args.args)

        def count(function):  # of what is called: "lower(arg0: str, arg1: str, ...) -> ..."
            head = function.__doc__.partition(" -> ")[0] if function.__doc__ else ""
            signature = getattr(function, "__nb_signature__", None)
            return len(re.findall(r"(?:self|arg\d*)\b(?=[,:)])", signature[0][0] if signature else head))

        told = {}
        for node in tree.body:
            if isinstance(node, ast.AnnAssign):
                self.assertIsInstance(getattr(proviso._native, node.target.id), str)
                told[node.target.id] = None
            elif isinstance(node, ast.FunctionDef):
                told[node.name] = None
                self.assertEqual(arguments(node), count(getattr(proviso._native, node.name)), node.name)
            elif isinstance(node, ast.ClassDef):
                told[node.name] = None
                methods = {f.name: f for f in node.body if isinstance(f, ast.FunctionDef)}
                own = getattr(proviso._native, node.name)
                self.assertEqual(set(methods), {m for m in vars(own) if not m.startswith("_")}, node.name)
                for name, method in methods.items():
                    self.assertEqual(arguments(method), count(getattr(own, name)), name)
        self.assertEqual(set(told), {m for m in dir(proviso._native) if not m.startswith("_")})

    def test_the_stub_of_schedules_has_what_they_have(self):
        tree = ast.parse((ROOT / "python" / "proviso" / "schedule.pyi").read_text())
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                own = vars(getattr(proviso, node.name))
                public = {m for m in own if not m.startswith("_")}
                told = {f.name for f in node.body if isinstance(f, ast.FunctionDef)}
                self.assertEqual(public, {m for m in told if not m.startswith("_")}, node.name)
                self.assertFalse(told - set(own), node.name)

    def test_the_stub_has_every_primitive(self):
        code: dict = {"__name__": "stub"}
        exec((ROOT / "python" / "native" / "schedule_stub.py").read_text(), code)
        self.assertEqual((ROOT / "python" / "proviso" / "schedule.pyi").read_text(), code["stub"]())


if __name__ == "__main__":
    unittest.main()
