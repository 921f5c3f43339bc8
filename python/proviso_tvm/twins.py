"""Small twins of programs: with smaller extents that have the same remainders.

A pass of TVM works on the program with its constants. So what is made small is the source, before
schedule and pipeline, and both are run on that. What is found out of a twin is said of the twin.
"""

import ast
from math import lcm

import tvm
from tvm import s_tir

from .confirm import random_inputs, run_proviso
from .source import NotASource, extents_of, function_of, renumbered, tree_of
from .steps import repeat

LARGE = 16  # extents of at most this stay as they are
_HALO = 4  # how far from an extent another one is taken to belong to it
_TIMES = 8


class NoTwin(Exception):
    """Why there is none."""


def factors_of(steps):
    """Numbers of a schedule that divide loops."""
    found = set()

    def walk(value):
        if isinstance(value, tuple):
            for one in value:
                walk(one)
        elif isinstance(value, int) and not isinstance(value, bool) and value > 1:
            found.add(value)
    for step in steps:
        if step.name in ("split", "loop_partition", "pad_einsum", "transform_layout"):
            walk(step.args)
    return sorted(found)


def _numbers(tree):
    return {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and
            type(n.value) is int}


def _small(extent, factors, least):
    """The smallest number, of at least `least`, with the same remainders modulo the factors."""
    modulus = lcm(2, *factors)
    to = extent % modulus
    while to < least:
        to += modulus
    return to


def mapping_of(tree, factors, least):
    """extent -> its twin, and the numbers that are made of extents: sums, products, ends."""
    extents = sorted(e for e in extents_of(tree) if e > 1)
    out = {}

    def product(number):
        """What a product of extents, or a small number, becomes."""
        if number <= _TIMES:
            return number
        for e in sorted(extents, reverse=True):
            rest = product(number // e) if number % e == 0 else None
            if rest is not None:
                return out.get(e, e) * rest
        return None

    def derived(number):
        for e in sorted(out, reverse=True):
            if 0 < abs(number - e) <= _HALO:
                return out[e] + number - e
        for e in sorted(out, reverse=True):
            rest = product(number // e) if number % e == 0 else None
            if rest is not None:
                return out[e] * rest
        return None

    for extent in extents:
        if extent <= LARGE:
            continue
        to = derived(extent)
        if to is None:
            to = _small(extent, factors, least)
        out[extent] = to if 0 < to < extent else extent
    for number in sorted(_numbers(tree) - set(out)):
        to = derived(number) if number > LARGE else None
        if to is not None and 0 < to < number:
            out[number] = to
    return {a: b for a, b in out.items() if a != b}


def is_large(func):
    """Whether a function has extents that a twin would make smaller."""
    return any(e > LARGE for e in extents_of(ast.parse(func.script())))


def _checked(func):
    """Runs the twin once: one with a fault would say nothing of the program."""
    try:
        inputs = random_inputs(func)
    except (TypeError, ValueError):  # symbolic sizes, which have no such inputs
        return
    run_proviso(func, inputs)


def twin_of(mod, steps=()):
    """(module of the twin, told mapping); raises NoTwin."""
    why = ""
    try:
        tree = tree_of(mod["main"])
    except (NotASource, SyntaxError, ValueError, tvm.error.DiagnosticError) as wrong:
        raise NoTwin(str(wrong).splitlines()[0][:120]) from None
    factors = factors_of(steps)
    for least in (1, 2, 4):
        mapping = mapping_of(tree, factors, least * max([4] + [f + 1 for f in factors]))
        if not mapping:
            raise NoTwin("no extent gets smaller with the same remainders")
        try:
            func = function_of(renumbered(tree, mapping))
            _checked(func)
            small = tvm.IRModule({"main": func})
            sch = s_tir.Schedule(small)
            for step in steps:
                repeat(sch, step)
        except Exception as wrong:  # no program, a fault, or a step that TVM refuses: a larger one
            why = str(wrong).strip().splitlines()[0][:120] if str(wrong).strip() else \
                type(wrong).__name__
            continue
        told = ", ".join(f"{a} → {b}" for a, b in sorted(mapping.items()))
        return small, told
    raise NoTwin(f"what was made small is no program any more: {why}")


def scheduled(mod, steps):
    """The module after the steps."""
    sch = s_tir.Schedule(mod)
    for step in steps:
        repeat(sch, step)
    return sch.mod
