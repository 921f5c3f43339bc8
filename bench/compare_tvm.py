"""Simplifies the questions of a file of JSON lines with TVM's analyzer: time and sizes.

usage: compare_tvm.py QUESTIONS.jsonl RESULTS.jsonl ROUNDS

A line is {"ranges": {"i": [0, 8]}, "given": ["j < n"], "expr": "(i * 4 + j) // 4"}; lines with the
same ranges and facts that follow each other share an analyzer, as in a pass over a program. Building
expressions, analyzers and scopes is not timed, here or in proviso-bench --simplify, and nothing is
kept from round to round in either. The time of an empty call (simplifying a literal) is measured too
and taken off, so that it is the analyzer that is compared, not the way into it.
Writes a line {"result", "size"} for each question, {} for one that cannot be written with TVM's
operators; prints one line of JSON.
"""

import ast
import json
import sys
import time

import tvm
import tvm.ir

try:  # since 0.26 or so
    from tvm import sym as arith
    from tvm import tirx as tir
except ImportError:
    from tvm import arith, tir


class Reader:
    """Expressions of TVMScript's syntax over int32 variables."""

    def __init__(self):
        self.vars = {}

    def var(self, name):
        if name not in self.vars:
            self.vars[name] = tir.Var(name, "int32")
        return self.vars[name]

    def read(self, text):
        return self.visit(ast.parse(text.strip(), mode="eval").body)

    def visit(self, n):
        if isinstance(n, ast.Constant):
            if isinstance(n.value, bool):
                return tir.IntImm("bool", int(n.value))
            return tir.IntImm("int32", n.value)
        if isinstance(n, ast.Name):
            return self.var(n.id)
        if isinstance(n, ast.UnaryOp):
            if isinstance(n.op, ast.USub) and isinstance(n.operand, ast.Constant):
                return tir.IntImm("int32", -n.operand.value)  # the lowest has no positive twin
            a = self.visit(n.operand)
            if isinstance(n.op, ast.Not):
                return tir.Not(a)
            return tir.Sub(tir.IntImm("int32", 0), a)
        if isinstance(n, ast.BinOp):
            make = {
                ast.Add: tir.Add, ast.Sub: tir.Sub, ast.Mult: tir.Mul,
                ast.FloorDiv: tir.FloorDiv, ast.Mod: tir.FloorMod,
                ast.BitAnd: tir.bitwise_and, ast.BitOr: tir.bitwise_or,
                ast.BitXor: tir.bitwise_xor, ast.LShift: tir.shift_left,
                ast.RShift: tir.shift_right,
            }[type(n.op)]
            return make(self.visit(n.left), self.visit(n.right))
        if isinstance(n, ast.Compare):
            make = {
                ast.Lt: tir.LT, ast.LtE: tir.LE, ast.Gt: tir.GT, ast.GtE: tir.GE,
                ast.Eq: tir.EQ, ast.NotEq: tir.NE,
            }
            parts = [self.visit(n.left)] + [self.visit(c) for c in n.comparators]
            out = None
            for op, a, b in zip(n.ops, parts, parts[1:]):
                one = make[type(op)](a, b)
                out = one if out is None else tir.And(out, one)
            return out
        if isinstance(n, ast.BoolOp):
            make = tir.And if isinstance(n.op, ast.And) else tir.Or
            parts = [self.visit(v) for v in n.values]
            out = parts[-1]
            for p in reversed(parts[:-1]):
                out = make(p, out)
            return out
        if isinstance(n, ast.Call):
            args = [self.visit(a) for a in n.args]
            make = {
                "min": tir.Min, "max": tir.Max, "Select": tir.Select,
                "if_then_else": tir.if_then_else, "truncdiv": tir.Div, "truncmod": tir.Mod,
            }[n.func.attr]
            return make(*args)
        raise ValueError(ast.dump(n))


def size(e):
    """Nodes of the tree; TVM has no negation: 0 - x and x * -1 count as one, over x."""
    kind = type(e).__name__  # where the classes live differs between versions
    if kind == "Sub" and is_literal(e.a, 0):
        return 1 + size(e.b)
    if kind == "Mul" and is_literal(e.b, -1):
        return 1 + size(e.a)
    if kind == "Not":
        return 1 + size(e.a)
    if kind == "Select":
        return 1 + size(e.condition) + size(e.true_value) + size(e.false_value)
    if kind == "Cast":
        return 1 + size(e.value)
    if kind == "Call":
        return 1 + sum(size(a) for a in e.args)
    if hasattr(e, "a") and hasattr(e, "b"):
        return 1 + size(e.a) + size(e.b)
    return 1


def is_literal(e, value):
    return type(e).__name__ == "IntImm" and e.value == value


def scopes_of(lines):
    """[(ranges, given, [expression])], of lines that follow each other."""
    out = []
    last = None
    for line in lines:
        here = json.dumps([line["ranges"], line["given"]], sort_keys=True)
        if here != last:
            out.append((line["ranges"], line["given"], []))
        last = here
        out[-1][2].append(line["expr"])
    return out


def run(lines):
    seconds = 0.0
    results = []
    failed = 0
    for ranges, given, texts in scopes_of(lines):
        reader = Reader()
        analyzer = arith.Analyzer()
        for name, (lo, hi) in ranges.items():
            if hi > lo and lo > -(2**31) and hi < 2**31 - 1:
                analyzer.bind(reader.var(name), tvm.ir.Range(lo, hi))
        facts = [reader.read(g) for g in given]
        exprs = []
        for t in texts:
            try:
                exprs.append(reader.read(t))
            except (ValueError, KeyError, TypeError):
                exprs.append(None)
                failed += 1
        simplify = analyzer.simplify
        scopes = [analyzer.constraint_scope(f) for f in facts]
        for s in scopes:
            s.__enter__()
        todo = [e for e in exprs if e is not None]
        start = time.process_time()
        done = [simplify(e) for e in todo]
        seconds += time.process_time() - start
        rest = iter(done)
        out = [None if e is None else next(rest) for e in exprs]
        for s in reversed(scopes):
            s.__exit__(None, None, None)
        results += out
    return seconds, results, failed


def main():
    questions, results_file, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with open(questions, encoding="utf-8") as f:
        lines = [json.loads(line) for line in f if line.strip()]
    run(lines[:200])  # warm
    fastest = None
    results = []
    failed = 0
    for _ in range(rounds):
        seconds, results, failed = run(lines)
        fastest = seconds if fastest is None else min(fastest, seconds)
    literal = tir.IntImm("int32", 1)
    analyzer = arith.Analyzer()
    empty = None
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(len(lines)):
            analyzer.simplify(literal)
        took = time.process_time() - start
        empty = took if empty is None else min(empty, took)
    with open(results_file, "w", encoding="utf-8") as f:
        for r in results:
            one = {} if r is None else {"result": str(r), "size": size(r)}
            f.write(json.dumps(one) + "\n")
    print(json.dumps({
        "tvm": tvm.__version__, "count": len(lines), "not_read": failed,
        "seconds": max(fastest - empty, 0.0), "seconds_with_calls": fastest,
        "nodes_after": sum(size(r) for r in results if r is not None),
    }))


main()
