"""The command `proviso-tvm` (or `python -m proviso_tvm`)."""

import argparse
import sys
from pathlib import Path

import tvm

from .checker import Checker
from .confirm import confirm
from .corpus import module, operators
from .fuzz import one_case
from .pairs import settle, table_text, write_report
from .passes import ValidatePasses, functions_of
from .schedule_corpus import hand_schedules
from .schedules import ValidateSchedule


def _note(text):
    print(text, file=sys.stderr, flush=True)


def _programs(only, checker, pairs):
    """Names and what makes their modules; primitives of schedules are pairs already."""
    for name, build in operators().items():
        if only in name:
            yield name, (lambda build=build: module(build))
    for name, build in hand_schedules().items():
        if only not in name:
            continue

        def make(name=name, build=build):
            kept = []

            def wrap(sch):
                kept.append(ValidateSchedule(sch, checker=checker, program=name))
                return kept[0]
            try:
                return build(wrap)
            finally:
                pairs.extend(kept[0]._pairs)
        yield name, make


def corpus(args):
    """Each program through TVM's default pipeline, each pass a pair."""
    checker = Checker(jobs=args.jobs, cache=args.cache, proof=not args.no_proof)
    pairs, primitives, sources, failed = [], [], {}, []
    for name, build in _programs(args.only, checker, primitives):
        try:
            mod = build()
            instrument = ValidatePasses(checker=checker, program=name)
            with tvm.transform.PassContext(instruments=[instrument]):
                tvm.compile(mod, target="llvm")
        except Exception as wrong:  # TVM's own: said, and the next one goes on
            failed.append(f"{name}: {type(wrong).__name__}: {str(wrong).strip()[:200]}")
            continue
        sources[name] = functions_of(mod)
        pairs += instrument._pairs
    settle(pairs)
    settle(primitives)
    summary = write_report(pairs, args.report)
    write_report(primitives, Path(args.report) / "primitives")
    print(f"{len(sources)} programs, TVM {tvm.__version__}, {checker.version()}\n")
    print(table_text(pairs))
    print(table_text(primitives))
    print(f"{checker.asked} comparisons, {checker.hits} of them from the cache; "
          f"report: {summary}")
    for text in failed:
        print(f"not compiled: {text}")
    confirm_refuted(pairs + primitives, sources, Path(args.report))
    checker.close()
    return 1 if any(p.verdict() == "REFUTED" for p in pairs + primitives) else 0


def confirmation(pair, sources):
    """What compiled code gives on the refuting inputs, against the pair's first program.

    A pass: the code of the whole compilation. A primitive: the code of the program after it.
    """
    before, after = pair.objects
    primitive = "." not in pair.step
    compiled = after if primitive else sources[pair.program][pair.function]
    try:
        seen = confirm(before, compiled, text=pair.answer.get("inputs", ""))
    except Exception as wrong:  # a program that TVM cannot compile or run
        return f"not run: {str(wrong).strip()[-160:]}"
    return seen or "no difference seen"


def confirm_refuted(pairs, sources, folder):
    """Prints each refuted pair, smallest first, and what compiled code says of it."""
    found = [p for p in pairs if p.verdict() == "REFUTED"]
    found.sort(key=lambda p: (p.step, len(p.before)))
    lines = []
    for pair in found:
        lines.append(f"REFUTED {pair.step}({pair.detail}) on {pair.program}: "
                     f"{pair.answer['reason'][:200]}\n"
                     f"  compiled code: {confirmation(pair, sources)}")
        print(lines[-1], flush=True)
    (folder / "refuted.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def fuzz(args):
    """Random schedules on random programs; each primitive and each pass a pair."""
    checker = Checker(jobs=args.jobs, cache=args.cache, proof=False)
    pairs, sources, failed = [], {}, []
    for seed in range(args.first, args.first + args.cases):
        got, compiled, wrong = one_case(seed, checker)
        pairs += got
        sources[f"case {seed}"] = compiled
        if wrong:
            failed.append(f"case {seed}: {wrong}")
        if args.cases >= 50 and (seed - args.first) % 50 == 49:
            _note(f"{seed - args.first + 1} cases, {len(pairs)} pairs")
    settle(pairs)
    write_report(pairs, args.report)
    print(f"{args.cases} schedules, TVM {tvm.__version__}, {checker.version()}\n")
    print(table_text(pairs))
    print(f"{len(failed)} schedules that TVM did not compile")
    (Path(args.report) / "not_compiled.txt").write_text("\n".join(failed) + "\n",
                                                        encoding="utf-8")
    confirm_refuted(pairs, sources, Path(args.report))
    checker.close()
    return 1 if any(p.verdict() == "REFUTED" for p in pairs) else 0


def main(words=None):
    parser = argparse.ArgumentParser(prog="proviso-tvm", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("corpus", help=corpus.__doc__)
    one.add_argument("--report", default="tvm-report", help="folder of the report")
    one.add_argument("--only", default="", help="programs whose name contains this")
    one.add_argument("--jobs", type=int, default=1, help="checker processes")
    one.add_argument("--cache", help="file that keeps answers")
    one.add_argument("--no-proof", action="store_true", help="by execution only")
    one.set_defaults(body=corpus)
    two = commands.add_parser("fuzz", help=fuzz.__doc__)
    two.add_argument("--cases", type=int, default=100, help="schedules")
    two.add_argument("--first", type=int, default=0, help="number of the first one")
    two.add_argument("--report", default="tvm-fuzz", help="folder of the report")
    two.add_argument("--jobs", type=int, default=1, help="checker processes")
    two.add_argument("--cache", help="file that keeps answers")
    two.set_defaults(body=fuzz)
    args = parser.parse_args(words)
    return args.body(args)
