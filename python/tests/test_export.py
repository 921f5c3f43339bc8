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
from proviso_tvm.checker import find_binary, shared_checker  # noqa: E402
from proviso_tvm.confirm import (  # noqa: E402
    copies, difference, parameters, random_inputs, run_proviso, run_tvm, texts_differ)
from proviso_tvm.pairs import cause_of, make_pair, settle  # noqa: E402

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


@T.prim_func(s_tir=True)
def annotated(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in T.serial(8, annotations={"pragma_unroll": 4, "stages": [0, 1], "name": "a \"b\""}):
        with T.sblock("copy"):
            v = T.axis.spatial(8, i)
            T.reads(A[0:8])
            T.writes(B[v])
            T.sblock_attr({"number": 1, "more": {"a": 2.5}, "yes": True})
            B[v] = A[v]


@T.prim_func(s_tir=True)
def narrow(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        with T.sblock("copy"):
            v = T.axis.spatial(8, i)
            T.reads(A[0:4])
            T.writes(B[v])
            B[v] = A[v]


class NoValues(unittest.TestCase):
    """Annotations, which have no meaning, and claims of regions, which may be false."""

    def pair(self, before, after, **more):
        pair = make_pair(shared_checker(), "step", "main", before, after, **more)
        return settle([pair])[0]

    def test_annotations_are_read_and_kept(self):
        got = export(annotated)
        read = canonical(got.text)
        self.assertEqual(read.returncode, 0, read.stderr)
        for said in ('"pragma_unroll": 4', '"stages": [0, 1]', r'"name": "a \"b\""',
                     'T.block_attr({"more": {"a": 2.5}, "number": 1, "yes": True})'):
            self.assertIn(said, got.text)
            self.assertIn(said, read.stdout)
            self.assertNotIn(said, got.plain)

    def test_an_annotation_of_an_allocation(self):
        @T.prim_func(s_tir=True)
        def f(A: T.Buffer((8,), "float32")):
            x = T.alloc_buffer((8,), "float32", annotations={"some": 3})
            for i in range(8):
                x[i] = T.float32(1)
            for i in range(8):
                A[i] = x[i]
        got = export(f)
        self.assertIn('T.alloc_buffer((8,), "float32", annotations={"some": 3})', got.text)
        self.assertEqual(canonical(got.text).returncode, 0)

    # Trap: a pair that differs in annotations alone is told as a change that was proved.
    def test_annotations_alone(self):
        sch = tvm.s_tir.Schedule(tvm.IRModule({"main": annotated}))
        sch.annotate(sch.get_loops(sch.get_sblock("copy"))[0], "other", 1)
        pair = self.pair(annotated, sch.mod["main"])
        self.assertNotEqual(pair.before, pair.after)
        self.assertEqual(pair.verdict(), "same text")

    def test_a_value_without_a_spelling(self):
        @T.prim_func(s_tir=True)
        def f(A: T.Buffer((8,), "float32")):
            for i in T.serial(8, annotations={"far": T.target("llvm"), "near": 1}):
                A[i] = T.float32(1)
        got = export(f)
        self.assertIn('annotations={"near": 1}', got.text)
        self.assertEqual(got.left_out, ["far"])
        self.assertNotIn("far", got.text)

    # Trap: a claim that is too small is a fault, which nobody sees where claims are left out.
    def test_claims(self):
        self.assertEqual(self.pair(annotated, narrow).verdict(), "same text")
        pair = self.pair(annotated, narrow, claims=True)
        self.assertIn("T.reads(A[0:0 + 4])", pair.after)
        self.assertEqual(pair.verdict(), "REFUTED")
        self.assertEqual(cause_of(pair), "a false claim of a block's regions")

    # Trap: an export of a region that the program does not claim faults where TVM's code does not.
    def test_claims_of_every_construct(self):
        for name, function in PROGRAMS.items():
            got = export(function, claims=True)
            self.assertEqual(texts_differ(export(function).text, got.text, seeds=(0, 1)), "",
                             f"{name}\n{got.text}")


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
