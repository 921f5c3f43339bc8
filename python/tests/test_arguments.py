"""The checks of arguments that MakePackedAPI adds. Run by hand, as test_export.py."""

import sys
import unittest
from pathlib import Path
from unittest import mock

import tvm
from tvm import tirx

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proviso_tvm import ValidatePasses  # noqa: E402
from proviso_tvm.arguments import _Run, check_arguments  # noqa: E402
from proviso_tvm.corpus import module, operators, symbolic  # noqa: E402


def packed_of(name):
    """The function before and after MakePackedAPI."""
    check = ValidatePasses(only={"tirx.MakePackedAPI"})
    with tvm.transform.PassContext(instruments=[check]):
        tvm.compile(module({**operators(), **symbolic()}[name]), target="llvm")
    return check.pairs()[0].objects


def changed(func, change):
    """The packed function with other statements, where `change` gives some, at its beginning."""
    def walk(s):
        other = change(s)
        if other is not None:
            return other
        kind = type(s).__name__
        if kind == "SeqStmt":
            return tirx.SeqStmt([walk(one) for one in s.seq])
        if kind == "AttrStmt" and str(s.attr_key) != "compute_scope":
            return tirx.AttrStmt(s.node, s.attr_key, s.value, walk(s.body))
        if kind == "IfThenElse":
            return tirx.IfThenElse(s.condition, walk(s.then_case), s.else_case)
        return s
    return func.with_body(walk(func.body))


class Arguments(unittest.TestCase):
    def test_right_checks(self):
        for name in ("dense", "all", "add_half", "any_dense", "any_concatenate", "any_sum",
                     "sum_int8", "cast_int64"):
            report = check_arguments(*packed_of(name))
            self.assertEqual((report.refuses, report.open, report.unknown), ("", [], ""), name)
            self.assertGreater(report.guarded, 15, name)

    # Trap: a size that one extent defines may have any value; it is no wrong call.
    def test_sizes_that_define_themselves(self):
        before, after = packed_of("any_add")
        self.assertEqual(check_arguments(before, after).open, [])

    # Trap: the packed function computes on memory that is not as the program says.
    def test_a_check_that_is_missing(self):
        before, after = packed_of("dense")
        for word, wrong in ((".strides", "stride 0 of A"), ("A.shape[1]", "extent 1 of A"),
                            (".dtype", "type of A"), (".byte_offset", "offset of A")):
            def without(s, word=word):
                said = "".join(str(getattr(p, "value", p)) for p in s.message_parts) \
                    if type(s).__name__ == "AssertStmt" else ""
                return tirx.Evaluate(0) if word in said else None
            report = check_arguments(before, changed(after, without))
            self.assertIn(wrong, report.open)
            self.assertIn("not all checked", report.told())

    # Trap: the check asks for another extent than the program's.
    def test_a_check_that_refuses_a_legal_call(self):
        other, _ = packed_of("matmul")
        _, after = packed_of("dense")
        self.assertIn("Invalid B.shape[0]", check_arguments(other, after).refuses)

    # Trap: two buffers of one shape change places, and the texts of both sides are the same.
    def test_a_buffer_of_another_argument(self):
        before, after = packed_of("elemwise_sum")
        right = _Run.member

        def first(run, base, number, kind):
            where = right(run, base, number, kind)
            return (1, 0) if kind == 1 and where is not None else where  # the first one's memory
        with mock.patch.object(_Run, "member", first):
            report = check_arguments(before, after)
        self.assertIn("not the argument in its place", report.refuses)


if __name__ == "__main__":
    unittest.main()
