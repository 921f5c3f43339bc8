"""The command `proviso-tvm` (or `python -m proviso_tvm`)."""

import argparse
import sys
import time
from pathlib import Path

import tvm

from .checker import Checker
from .confirm import confirm
from .corpus import module, operators
from .pairs import settle, table_text, write_report
from .passes import ValidatePasses, functions_of
from .schedule_corpus import hand_schedules


def _note(text):
    print(text, file=sys.stderr, flush=True)


def _programs(only):
    for name, build in operators().items():
        if only in name:
            yield name, (lambda build=build: module(build))
    for name, build in hand_schedules().items():
        if only in name:
            yield name, build


def corpus(args):
    """Each program through TVM's default pipeline, each pass a pair."""
    checker = Checker(jobs=args.jobs, cache=args.cache, proof=not args.no_proof)
    pairs, sources, failed, compiling = [], {}, [], 0.0
    for name, build in _programs(args.only):
        try:
            mod = build()
            start = time.perf_counter()
            instrument = ValidatePasses(checker=checker, program=name)
            with tvm.transform.PassContext(instruments=[instrument]):
                tvm.compile(mod, target="llvm")
            compiling += time.perf_counter() - start
        except Exception as wrong:  # TVM's own: said, and the next one goes on
            failed.append(f"{name}: {type(wrong).__name__}: {str(wrong).strip()[:200]}")
            continue
        sources[name] = functions_of(mod)
        pairs += instrument._pairs
    settle(pairs)
    summary = write_report(pairs, args.report)
    print(f"{len(sources)} programs, TVM {tvm.__version__}, {checker.version()}\n")
    print(table_text(pairs))
    print(f"{checker.asked} comparisons, {checker.hits} of them from the cache; "
          f"report: {summary}")
    for text in failed:
        print(f"not compiled: {text}")
    _confirm_refuted(pairs, sources, Path(args.report))
    checker.close()
    return 1 if any(p.verdict() == "REFUTED" for p in pairs) else 0


def _confirm_refuted(pairs, sources, folder):
    lines = []
    for pair in (p for p in pairs if p.verdict() == "REFUTED"):
        source = sources[pair.program].get(pair.function)
        try:
            seen = confirm(source, text=pair.answer.get("inputs", ""))
        except Exception as wrong:  # a program that TVM cannot run
            seen = f"not run: {str(wrong).strip()[:120]}"
        lines.append(f"REFUTED {pair.step} on {pair.program}: {pair.answer['reason'][:200]}\n"
                     f"  compiled code: {seen or 'no difference seen'}")
    for line in lines:
        print(line)
    (folder / "refuted.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


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
    args = parser.parse_args(words)
    return args.body(args)
