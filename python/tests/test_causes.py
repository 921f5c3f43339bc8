"""The causes that docs/tvm-passes.md names: a minimal program of each is refuted, and TVM's compiled
code gives a wrong result for it. A release of TVM that has mended one fails here.

Run by hand, as test_export.py.
"""

import sys
import unittest
from pathlib import Path

import numpy as np
import tvm
from tvm import s_tir, te, tirx

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proviso_tvm.confirm import run_proviso, run_tvm  # noqa: E402
from proviso_tvm.passes import ValidatePasses  # noqa: E402
from proviso_tvm.schedules import ValidateSchedule  # noqa: E402

NAN, INF = float("nan"), float("inf")


def placeholder(*shape):
    return te.placeholder(shape, "float32", name="A")


def module(*stages):
    return tvm.IRModule({"main": te.create_prim_func(list(stages))})


def constant(value):
    return te.const(value, "float32")


def of_one_cell(make):
    """C[0] = make(A[0], B[0]), which nothing has simplified yet."""
    names = [te.placeholder((1,), "float32", name=n) for n in "AB"]
    C = te.compute((1,), lambda i: names[0][i] + names[1][i], name="C")
    func = te.create_prim_func([*names, C])
    a, b, c = func.params
    i = tirx.Var("i", "int32")
    value = make(tirx.BufferLoad(a, [i]), tirx.BufferLoad(b, [i]))
    body = tirx.For(i, 0, 1, tirx.ForKind.SERIAL, tirx.BufferStore(c, value, [i]))
    return tvm.IRModule({"main": func.with_body(body)})


def two_copies(n=2):
    A = placeholder(n)
    B = te.compute((n,), lambda i: A[i], name="B")
    return module(A, te.compute((n,), lambda i: B[i], name="C"))


def row(combined, n=3, then=None):
    A = placeholder(1, n)
    k = te.reduce_axis((0, n), name="k")
    B = te.compute((1,), lambda i: combined(A[i, k], axis=k), name="B")
    if then is None:
        return module(A, B)
    return module(A, te.compute((1,), lambda i: then(B[i]), name="C"))


class Causes(unittest.TestCase):
    def wrong(self, source, schedule, step, inputs, right, compiled):
        """`step` is refuted; of these inputs the program gives `right`, and compiled code
        `compiled` (None: another one). Further parameters are what is computed."""
        made = ValidateSchedule(s_tir.Schedule(source), sizes="real")
        schedule(made)
        check = ValidatePasses(only=[step], sizes="real")
        with tvm.transform.PassContext(instruments=[check]):
            tvm.compile(made.mod, target="llvm")
        pairs = made.proviso_pairs() + check.pairs()
        found = {p.verdict() for p in pairs if p.step == step}
        self.assertIn("REFUTED", found, [(p.step, p.verdict(), p.answer) for p in pairs])
        func = source["main"]
        arrays = [np.array(x, "float32") for x in inputs]
        outputs = [np.zeros([int(e) for e in p.ty.shape], "float32")
                   for p in func.params[len(arrays):]]
        want = list(run_proviso(func, [*arrays, *outputs]).values())[-1]
        got = run_tvm(made.mod["main"], [*arrays, *outputs])[-1]
        np.testing.assert_array_equal(want.ravel(), np.array(right, "float32"))
        if compiled is None:
            self.assertFalse(np.array_equal(got, want))
        else:
            np.testing.assert_array_equal(got.ravel(), np.array(compiled, "float32"))
        np.testing.assert_array_equal(np.signbit(want.ravel()), np.signbit(right))

    def simplified(self, make, a, b, right, compiled):
        self.wrong(of_one_cell(make), lambda sch: None, "s_tir.StmtSimplify", [[a], [b]],
                   [right], [compiled])

    def test_one_cell_for_all_lanes(self):
        def schedule(sch):
            i, = sch.get_loops(sch.get_sblock("C"))
            _, inner = sch.split(i, [None, 4])
            sch.compute_at(sch.get_sblock("B"), inner)
            sch.vectorize(inner)
        self.wrong(two_copies(4), schedule, "tirx.VectorizeLoop", [[1, 2, 3, 4]],
                   [1, 2, 3, 4], [4, 4, 4, 4])

    def test_not_a_number(self):
        self.simplified(lambda a, b: tirx.Select(tirx.NE(a, a), constant(1), constant(0)),
                        NAN, 0, 1, 0)

    def test_a_negated_comparison(self):
        self.simplified(lambda a, b: tirx.Select(tirx.Not(tirx.LE(a, b)), constant(1),
                                                 constant(0)), NAN, 0, 1, 0)

    def test_times_zero(self):
        self.simplified(lambda a, b: tirx.Mul(a, constant(0)), INF, 0, NAN, 0)

    def test_a_difference_of_equals(self):
        self.simplified(lambda a, b: tirx.Sub(a, a), INF, 0, NAN, 0)

    def test_plus_zero(self):
        self.simplified(lambda a, b: tirx.Add(a, constant(0)), -0.0, 0, 0.0, -0.0)

    def test_a_reduction_that_starts_twice(self):
        def schedule(sch):
            _, k = sch.get_loops(sch.get_sblock("B"))
            sch.loop_partition(k, [2, None])
        self.wrong(row(te.sum), schedule, "loop_partition", [[[1, 2, 4]]], [7], [4])

    def test_a_maximum_in_the_sum(self):
        def schedule(sch):
            sch.fuse_reduction_epilogue(sch.get_sblock("B"), sch.get_sblock("C"))
        self.wrong(row(te.sum, 2, lambda x: te.max(x, constant(0))), schedule,
                   "fuse_reduction_epilogue", [[[-1, 1]]], [0], [1])

    def test_a_maximum_padded_with_zero(self):
        def schedule(sch):
            sch.pad_einsum(sch.get_sblock("B"), [1, 2])
        self.wrong(row(te.max), schedule, "pad_einsum", [[[-1, -2, -3]]], [-1], [0])

    # What follows reads cells that nothing has stored to: compiled code gives what is there.
    def test_a_copy_before_its_producer(self):
        def schedule(sch):
            i, = sch.get_loops(sch.get_sblock("B"))
            sch.loop_partition(i, [1, None])
            sch.cache_read(sch.get_sblock("C"), 0, "local")
        self.wrong(two_copies(3), schedule, "cache_read", [[1, 2, 3]], [1, 2, 3], None)

    def test_a_copy_behind_its_consumer(self):
        def schedule(sch):
            i, = sch.get_loops(sch.get_sblock("C"))
            sch.loop_partition(i, [1, None])
            sch.cache_write(sch.get_sblock("B"), 0, "local")
        self.wrong(two_copies(3), schedule, "cache_write", [[1, 2, 3]], [1, 2, 3], None)

    def test_a_producer_behind_its_consumer(self):
        A = placeholder(2)
        B = te.compute((2,), lambda i: A[i], name="B")
        C = te.compute((2,), lambda i: B[i], name="C")
        D = te.compute((2,), lambda i: B[i] + C[i], name="D")

        def schedule(sch):
            i, = sch.get_loops(sch.get_sblock("D"))
            sch.reverse_compute_at(sch.get_sblock("B"), i)
        self.wrong(module(A, D), schedule, "reverse_compute_at", [[1, 2]], [2, 4], None)

    def test_a_copy_of_a_block_with_a_predicate(self):
        A = placeholder(3, 3)
        k = te.reduce_axis((0, 3), name="k")
        B = te.compute((3,), lambda i: te.sum(A[i, k], axis=k), name="B")

        def schedule(sch):
            block = sch.get_sblock("B")
            sch.split(sch.get_loops(block)[0], [None, 2])
            sch.reindex_cache_read(block, 0, "local", lambda i, j: [j, i])
        self.wrong(module(A, B), schedule, "reindex_cache_read",
                   [[[1, 2, 3], [4, 5, 6], [7, 8, 9]]], [6, 15, 24], None)


if __name__ == "__main__":
    unittest.main()
