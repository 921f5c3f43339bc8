"""The command `proviso-tvm` (or `python -m proviso_tvm`)."""

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import tvm

from .checker import Checker, NoChecker, class_of
from .confirm import confirm, texts_differ
from .corpus import module, operators, symbolic
from .edits import edits_of
from .fuzz import one_case
from .gpu import lower_for_gpu, on_gpu
from .pairs import Pair, kind_of_difference, settle, table_text, write_report
from .passes import ValidatePasses, functions_of
from .schedule_corpus import hand_schedules
from .schedules import ValidateSchedule


def check_edits(pairs, count, checker, folder):
    """Asks about edited programs. What is accepted is run on random inputs beside the original."""
    folder = Path(folder)
    asked = [(pair, text, kind, checker.compare(pair.before, text))
             for pair, text, kind in edits_of(pairs, count)]
    classes, harmful = Counter(), []
    for pair, text, kind, future in asked:
        found = class_of(future.result())
        classes[found] += 1
        if found not in ("PROVED", "at its sizes", "BOUNDED"):
            continue
        seen = texts_differ(pair.before, text)
        if seen:
            harmful.append(f"{pair.program} {pair.step} ({kind}): {seen}\n{text}")
    told = ", ".join(f"{n} {c}" for c, n in classes.most_common())
    print(f"{len(asked)} random edits of AFTER: {told}; accepted and seen to differ: "
          f"{len(harmful)}")
    (folder / "harmful_edits.txt").write_text("\n".join(harmful), encoding="utf-8")
    return harmful


def _note(text):
    print(text, file=sys.stderr, flush=True)


def _programs(only, checker, pairs):
    """Names and what makes their modules; primitives of schedules are pairs already."""
    for name, build in {**operators(), **symbolic()}.items():
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
            mod = build() if args.target == "llvm" else on_gpu(build())
            instrument = ValidatePasses(checker=checker, program=name)
            with tvm.transform.PassContext(instruments=[instrument]):
                if args.target == "cuda":
                    lower_for_gpu(mod)
                else:
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
    if args.edits:
        quick = Checker(jobs=args.jobs, proof=False)
        check_edits(pairs, args.edits, quick, args.report)
        quick.close()
    tell_refuted(pairs + primitives, lambda p: confirmation(p, sources.get(p.program, {})),
                 args.report, args.confirm)
    checker.close()
    return 1 if any(p.verdict() == "REFUTED" for p in pairs + primitives) else 0


def confirmation(pair, sources):
    """What compiled code gives, against the pair's first program by the interpreter.

    A pass: the code of the whole compilation. A primitive: the code of the program after it.
    """
    before, after = pair.objects
    compiled = after if "." not in pair.step else sources[pair.function]
    try:
        refuting, moderate = confirm(before, compiled, text=pair.answer.get("inputs", ""))
    except Exception as wrong:  # a program that TVM cannot compile or run
        return f"not run: {str(wrong).strip()[-160:]}"
    if moderate:
        return f"differs: {refuting or moderate}"
    return f"differs at these inputs only: {refuting}" if refuting else "no difference seen"


def tell_refuted(pairs, confirmed, folder, most):
    """Prints refuted pairs by step and kind, the smallest first; `confirmed` runs compiled code
    for `most` of each group."""
    groups = {}
    for pair in pairs:
        if pair.verdict() == "REFUTED":
            groups.setdefault((pair.step, kind_of_difference(pair)), []).append(pair)
    lines = []
    for (step, kind), group in sorted(groups.items()):
        lines.append(f"{step}: {kind}: {len(group)}")
        print(lines[-1], flush=True)
        for pair in sorted(group, key=lambda p: (len(p.before), p.program))[:most]:
            lines.append(f"  {pair.program} ({pair.detail}): {pair.answer['reason'][:240]}\n"
                         f"    compiled code: {confirmed(pair)}")
            print(lines[-1], flush=True)
    (Path(folder) / "refuted.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _worker(words, **more):
    return subprocess.Popen([sys.executable, "-m", "proviso_tvm"] + [str(w) for w in words],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                            encoding="utf-8",
                            cwd=Path(__file__).resolve().parents[1], **more)


def _case_rows(first, cases):
    """The rows of so many cases, made by processes that may crash: TVM's own crashes are told."""
    at, end = first, first + cases
    while at < end:
        worker = _worker(["_cases", at, end])
        for line in worker.stdout:
            row = json.loads(line)
            at = row["seed"] + 1
            yield row
        code = worker.wait()
        if at < end:
            yield {"seed": at, "pairs": [], "wrong": f"TVM crashed (exit code {code})"}
            at += 1


def cases(args):
    """(for `fuzz`) The pairs of cases, as JSON lines."""
    for seed in range(args.first, args.end):
        pairs, _, wrong = one_case(seed, NoChecker())
        rows = [{key: getattr(p, key) for key in
                 ("step", "function", "program", "before", "after", "not_exported", "relations",
                  "detail")} for p in pairs]
        print(json.dumps({"seed": seed, "pairs": rows, "wrong": wrong}), flush=True)
    return 0


def confirm_case(args):
    """(for `fuzz`) Runs compiled code for one pair of a case; the inputs are standard input."""
    pairs, compiled, _ = one_case(args.seed, NoChecker())
    pair = pairs[args.number]
    pair.answer = {"inputs": sys.stdin.read()}
    print(confirmation(pair, compiled))
    return 0


def fuzz(args):
    """Random schedules on random programs; each primitive and each pass a pair."""
    checker = Checker(jobs=args.jobs, cache=args.cache, proof=False)
    pairs, failed = [], []
    for row in _case_rows(args.first, args.cases):
        for number, fields in enumerate(row["pairs"]):
            pair = Pair(**fields)
            pair.place = (row["seed"], number)
            if not pair.not_exported:
                pair.future = checker.compare(pair.before, pair.after)
            pairs.append(pair)
        if row["wrong"]:
            failed.append(f"case {row['seed']}: {row['wrong']}")
        done = row["seed"] - args.first + 1
        if done % 50 == 0:
            _note(f"{done} cases, {len(pairs)} pairs")
    settle(pairs)
    write_report(pairs, args.report)
    print(f"{args.cases} schedules, TVM {tvm.__version__}, {checker.version()}\n")
    print(table_text(pairs))
    crashed = sum("crashed" in text for text in failed)
    print(f"{len(failed)} schedules that TVM did not compile, {crashed} of them with a crash")
    (Path(args.report) / "not_compiled.txt").write_text("\n".join(failed) + "\n",
                                                        encoding="utf-8")

    def confirmed(pair):
        worker = _worker(["_confirm", *pair.place], stdin=subprocess.PIPE)
        out, _ = worker.communicate(pair.answer.get("inputs", ""))
        return out.strip() or f"TVM crashed (exit code {worker.returncode})"

    tell_refuted(pairs, confirmed, args.report, args.confirm)
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
    one.add_argument("--edits", type=int, default=0,
                     help="random edits of the programs after passes to ask about")
    one.add_argument("--target", choices=["llvm", "cuda"], default="llvm",
                     help="cuda: programs as dlight schedules them, lowered and not compiled")
    one.set_defaults(body=corpus)
    two = commands.add_parser("fuzz", help=fuzz.__doc__)
    two.add_argument("--cases", type=int, default=100, help="schedules")
    two.add_argument("--first", type=int, default=0, help="number of the first one")
    two.add_argument("--report", default="tvm-fuzz", help="folder of the report")
    two.add_argument("--jobs", type=int, default=1, help="checker processes")
    two.add_argument("--cache", help="file that keeps answers")
    two.set_defaults(body=fuzz)
    for command in (one, two):
        command.add_argument("--confirm", type=int, default=3,
                             help="refuted pairs of each kind to run compiled code for")
    three = commands.add_parser("_cases")
    three.add_argument("first", type=int)
    three.add_argument("end", type=int)
    three.set_defaults(body=cases)
    four = commands.add_parser("_confirm")
    four.add_argument("seed", type=int)
    four.add_argument("number", type=int)
    four.set_defaults(body=confirm_case)
    args = parser.parse_args(words)
    return args.body(args)
