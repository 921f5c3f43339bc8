"""The command `proviso-tvm` (or `python -m proviso_tvm`)."""

import argparse
import json
import subprocess
import sys
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path

import tvm

from .checker import Checker, NoChecker, Server, class_of, find_binary
from .confirm import compiled_says, texts_differ
from .corpus import large, module, operators, symbolic
from .edits import edits_of
from .fuzz import one_case
from .gpu import lower_for_gpu, on_gpu
from .findings import shrink_groups, tell_refuted, write_findings
from .pairs import Origin, Pair, cause_of, settle, table_text, write_report
from .passes import ValidatePasses, functions_of
from .schedule_corpus import hand_schedules
from .schedules import ValidateSchedule
from .shrink import TRIES, Finding, Shrinker


def check_edits(pairs, count, checker, folder):
    """Asks about edited programs. What is accepted is run on random inputs beside the original."""
    folder = Path(folder)
    asked = [(pair, text, kind, checker.compare(pair.asked[0], text))
             for pair, text, kind in edits_of(pairs, count)]
    classes, harmful = Counter(), []
    for pair, text, kind, future in asked:
        found = class_of(future.result())
        classes[found] += 1
        if found not in ("PROVED", "at its sizes", "BOUNDED"):
            continue
        seen = texts_differ(pair.asked[0], text)
        if seen:
            harmful.append(f"{pair.program} {pair.step} ({kind}): {seen}\n{text}")
    told = ", ".join(f"{n} {c}" for c, n in classes.most_common())
    print(f"{len(asked)} random edits of AFTER: {told}; accepted and seen to differ: "
          f"{len(harmful)}")
    (folder / "harmful_edits.txt").write_text("\n".join(harmful), encoding="utf-8")
    return harmful


def _note(text):
    print(text, file=sys.stderr, flush=True)


def _programs(only, checker, pairs, **options):
    """Names and what makes their origins; primitives of schedules are pairs already."""
    for name, build in {**operators(), **symbolic(), **large()}.items():
        if only in name:
            yield name, (lambda build=build: (module(build), None))
    for name, build in hand_schedules().items():
        if only not in name:
            continue

        def make(name=name, build=build):
            kept = []

            def wrap(sch):
                kept.append(ValidateSchedule(sch, checker=checker, program=name, **options))
                return kept[0]
            try:
                return build(wrap), kept[0].proviso_origin()
            finally:
                pairs.extend(kept[0].proviso_asked())
        yield name, make


def corpus(args):
    """Each program through TVM's default pipeline, each pass a pair."""
    checker = Checker(jobs=args.jobs, cache=args.cache, proof=not args.no_proof,
                      seconds=args.seconds)
    pairs, primitives, sources, failed = [], [], {}, []
    for name, build in _programs(args.only, checker, primitives, sizes=args.sizes,
                                 claims=args.claims):
        try:
            mod, origin = build()
            origin = replace(origin or Origin(mod), target=args.target)
            instrument = ValidatePasses(checker=checker, program=name, origin=origin,
                                        sizes=args.sizes, claims=args.claims)
            mod = instrument.small(mod)
            mod = mod if args.target == "llvm" else on_gpu(mod)
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
    tell_findings(pairs + primitives, Shrinker(Server(checker.binary), args.tries).shrink, args)
    checker.close()
    return 1 if any(p.verdict() == "REFUTED" for p in pairs + primitives) else 0


def confirmation(pair, sources):
    """What compiled code gives, against the pair's first program by the interpreter.

    A pass: the code of the whole compilation. A primitive: the code of the program after it.
    """
    before, after = pair.objects
    return compiled_says(before, after if "." not in pair.step else sources[pair.function],
                         pair.answer.get("inputs", ""))


def tell_findings(pairs, shrunk, args):
    """Makes refuted pairs small where that is asked for, and writes them down."""
    if not args.shrink:
        return
    findings = shrink_groups(pairs, shrunk, args.shrink, _note)
    path = write_findings(findings, args.report)
    for finding in findings:
        size = len(finding.source.splitlines())
        print(f"{finding.step}: {finding.cause}: {size} lines, {len(finding.steps)} steps "
              f"({finding.kept} of {finding.tries} tries; {finding.ended}); compiled code: "
              f"{finding.compiled}")
    print(f"{len(findings)} findings: {path}")


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
                  "detail", "refuses", "left_out", "asked", "licences")} for p in pairs]
        print(json.dumps({"seed": seed, "pairs": rows, "wrong": wrong}), flush=True)
    return 0


def confirm_case(args):
    """(for `fuzz`) Runs compiled code for one pair of a case; the inputs are standard input."""
    pairs, compiled, _ = one_case(args.seed, NoChecker())
    pair = pairs[args.number]
    pair.answer = {"inputs": sys.stdin.read()}
    print(confirmation(pair, compiled))
    return 0


def shrink_case(args):
    """(for `fuzz`) Makes one pair of a case small; its answer is standard input."""
    pairs, _, _ = one_case(args.seed, NoChecker())
    pair = pairs[args.number]
    pair.answer = json.load(sys.stdin)
    print(json.dumps(asdict(Shrinker(Server(find_binary()), args.tries).shrink(pair))))
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
                pair.ask(checker)
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

    def shrunk(pair):
        worker = _worker(["_shrink", *pair.place, "--tries", args.tries], stdin=subprocess.PIPE)
        out, _ = worker.communicate(json.dumps(pair.answer))
        if worker.returncode != 0:
            return Finding(pair.step, cause_of(pair), before=pair.before, after=pair.after,
                           reason=pair.answer["reason"], program=pair.program,
                           ended=f"not made small: TVM crashed (exit code {worker.returncode})")
        return Finding(**json.loads(out))

    tell_refuted(pairs, confirmed, args.report, args.confirm)
    tell_findings(pairs, shrunk, args)
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
    one.add_argument("--seconds", type=int, default=60,
                     help="processor time of one comparison (60)")
    one.add_argument("--edits", type=int, default=0,
                     help="random edits of the programs after passes to ask about")
    one.add_argument("--claims", action="store_true",
                     help="compare T.reads and T.writes, too: a false one is a fault")
    one.add_argument("--sizes", choices=["twins", "real"], default="twins",
                     help="programs with extents above 16: small twins that keep remainders, or "
                     "the real sizes")
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
        command.add_argument("--shrink", type=int, default=1, metavar="N",
                             help="refuted pairs of each step and cause to make small (1; 0: none)")
        command.add_argument("--tries", type=int, default=TRIES,
                             help=f"smaller programs to try for each of them ({TRIES})")
    five = commands.add_parser("_shrink")
    five.add_argument("seed", type=int)
    five.add_argument("number", type=int)
    five.add_argument("--tries", type=int, default=TRIES)
    five.set_defaults(body=shrink_case)
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
