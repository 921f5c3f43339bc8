"""The exporter: what Proviso's interpreter computes from the exported text is what TVM's compiled
code computes, for each construct, and after each pass of the pipeline.

Run by hand: `PROVISO=build/release/proviso python -m unittest discover -s python/tests`.
"""

import subprocess
import sys
import unittest
from pathlib import Path

import tvm
from tvm import tirx
from tvm.script import tirx as T

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from programs import PROGRAMS  # noqa: E402

from proviso_tvm import NotExported, export  # noqa: E402
from proviso_tvm.checker import find_binary  # noqa: E402
from proviso_tvm.confirm import (  # noqa: E402
    copies, difference, parameters, random_inputs, run_proviso, run_tvm)

TOLERANCE = 1e-4  # functions such as exp are not the same on both sides


def canonical(text):
    return subprocess.run([find_binary(), "fmt", "-"], input=text, capture_output=True, text=True,
                          check=False)


class Stages(tvm.ir.instrument.PassInstrument):
    """The functions after each pass."""

    __slots__ = ("__dict__",)

    def __init__(self):
        super().__init__()
        self.seen = []

    def run_after_pass(self, mod, info):
        for gv, function in mod.functions.items():
            if isinstance(function, tirx.PrimFunc):
                self.seen.append((info.name, function))


def stages_of(function):
    found = Stages()
    with tvm.transform.PassContext(instruments=[found]):
        tvm.compile(tvm.IRModule({"main": function.with_attr("global_symbol", "main")}), "llvm")
    return found.seen


class Constructs(unittest.TestCase):
    """One test a program; see programs.py."""

    def same_results(self, function, source, inputs, expected, what):
        got = export(function, "main")
        read = canonical(got.text)
        self.assertEqual(read.returncode, 0, f"{what}\n{got.text}\n{read.stderr}")
        self.assertNotIn("note:", read.stderr, f"{what}\n{got.text}")
        seen = run_proviso(function, copies(inputs))
        names = [p[0] for p in parameters(source)]
        self.assertEqual(list(seen), names, what)
        found = difference(seen, dict(zip(names, expected)), TOLERANCE)
        self.assertEqual(found, "", f"{what}\n{got.text}")


def add_tests():
    def test_of(name, function):
        def test(self):
            for seed in range(3):
                inputs = random_inputs(function, seed, special=False)
                expected = run_tvm(function, copies(inputs))
                self.same_results(function, function, inputs, expected, name)
            previous = None
            for step, stage in stages_of(function):
                text = export(stage, "main").text
                if text != previous:
                    self.same_results(stage, function, inputs, expected, f"{name} after {step}")
                previous = text
        return test

    for name, function in PROGRAMS.items():
        setattr(Constructs, f"test_{name}", test_of(name, function))


add_tests()


class Refused(unittest.TestCase):
    """What has no spelling is named, and never guessed."""

    def construct(self, function):
        with self.assertRaises(NotExported) as caught:
            export(function)
        return caught.exception.construct

    def test_while(self):
        @T.prim_func(s_tir=True)
        def f(A: T.Buffer((8,), "int32")):
            while A[0] < 10:
                A[0] = A[0] + 1
        self.assertEqual(self.construct(f), "while")

    def test_bits_of_a_float(self):
        @T.prim_func(s_tir=True)
        def f(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "int32")):
            for i in range(8):
                B[i] = T.reinterpret("int32", A[i])
        self.assertEqual(self.construct(f), "reinterpret from float32 to int32")

    def test_view_of_another_type(self):
        @T.prim_func(s_tir=True)
        def f(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "int32")):
            V = T.decl_buffer((8,), "int32", data=A.data)
            for i in range(8):
                B[i] = V[i]
        self.assertIn("view of another element type", self.construct(f))

    def test_other_functions(self):
        @T.prim_func(s_tir=True)
        def f(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
            for i in range(8):
                B[i] = T.atan(A[i])
        self.assertEqual(self.construct(f), "atan")

    # Trap: a branch that throws is dropped as a check of an allocation, whatever it asks.
    def test_a_branch_that_throws(self):
        @T.prim_func(s_tir=True)
        def f(A: T.Buffer((8,), "int32")):
            if A[0] > 0:
                T.evaluate(T.tvm_throw_last_error())
            A[1] = 1
        self.assertEqual(self.construct(f), "tvm_throw_last_error")

    def test_attributes_that_say_something(self):
        @T.prim_func(s_tir=True)
        def f(A: T.Buffer((8,), "float32")):
            with T.attr(A, "volatile_scope", 1):
                A[0] = T.float32(1)
        self.assertEqual(self.construct(f), "attr volatile_scope")


if __name__ == "__main__":
    unittest.main()
