"""`./dev bench runtime`: code for this machine against the best that there is, on one pinned core, in
one run. Prints a table, with --json a line of JSON for each case; with --page=FILE writes the part of
docs/performance.md that is measured."""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CASES = pathlib.Path(__file__).resolve().parent
MATMUL = CASES.parent / "matmul_program"


# What OpenBLAS takes this machine for, and kernels that it may not choose on a virtual one.
CORES = ("", "SkylakeX", "Haswell")


class Failed(Exception):
    """A command that did not do what it should."""


def call(*command, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, **more)
    if done.returncode != 0:
        raise Failed(f"{command[0]} {command[1]}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout + done.stderr


class Bench:
    """One folder of programs, libraries and results."""

    def __init__(self, proviso, folder, rounds):
        self.proviso = proviso
        self.folder = folder
        self.rounds = rounds
        self.timer = folder / "time"
        self.packed = {}
        call("cc", "-O2", "-o", self.timer, CASES / "time.c", "-ldl", "-lm")

    def write(self, source, name, words, contract=False):
        text = source.read_text()
        for word, value in words.items():
            text = re.sub(rf"\b{word}\b", str(value), text)
        if contract:
            text = re.sub(r"^    for ", '    T.func_attr({"proviso.licences": ["contract"]})\n    for ', text, 1, re.M)
        path = self.folder / name
        path.write_text(text)
        return path

    def lower(self, source, schedule, symbol, words, contract=False, adapters=False):
        """The library of a program under a schedule, and the widest vectors in its loops."""
        program = self.write(source, f"{symbol}.py", words, contract)
        steps = self.write(schedule, f"{symbol}.sch.py", words)
        told = call(self.proviso, "lower", program, "-s", steps, "--symbol", symbol, "--cpu", "native", "--emit",
                    "so,header,adapters" if adapters else "so,header", "--explain-speed", "-q", "--no-validation", "-o",
                    self.folder)
        widths = [int(n) for n in re.findall(r"vectors of (\d+)", told)]
        return self.folder / f"{symbol}.so", max(widths, default=1)

    def agrees(self, source, schedule, words, contract=False):
        """Whether compiled code and the interpreter give the same bits, or what the licence allows."""
        program = self.write(source, "small.py", words, contract)
        steps = self.write(schedule, "small.sch.py", words)
        out = self.folder / "small"
        call(self.proviso, "lower", program, "-s", steps, "--emit", "ir", "-q", "--no-validation", "-o", out)
        lowered = next(out.glob("*.lowered.py"))
        try:
            call(self.proviso, "run", lowered, "--engine", "both", "--random", "--seed", "7", "--cpu", "native", "-o",
                 out / "results")
            return True
        except Failed as no:
            print(no, file=sys.stderr)
            return False
        finally:
            shutil.rmtree(out)

    def peers(self, **macros):
        library = self.folder / "peers.so"
        call("g++", "-O3", "-march=native", "-shared", "-fPIC", *[f"-D{k}={v}" for k, v in macros.items()], "-o", library,
             CASES / "peers.cpp", "-ldl")
        return library

    def time(self, buffers, variants, rounds, core=""):
        """Microseconds, hash and distance from the first variant's result, of each timed variant."""
        specs = [f"{name}={library}:{symbol}:{','.join(map(str, args))}" for name, library, symbol, args in variants]
        own = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OPENBLAS_CORETYPE": core}
        text = call(self.timer, max(1, int(rounds * self.rounds)), *buffers, "--", *specs, env=own)
        out = {}
        for line in text.splitlines():
            name, us, digest, most = line.split()
            out[name] = (float(us), digest, float(most))
        return out


def packed(bench, words, contract):
    """A product with the packing inside: library, symbol and lanes. Its proof is the dearest step of the bench,
    so it is lowered once for each size."""
    key = (*words.values(), contract)
    if key not in bench.packed:
        symbol = "inside_" + "_".join(str(k) for k in key)
        library, lanes = bench.lower(MATMUL / "product.py", MATMUL / "packed.sch.py", symbol, words, contract)
        bench.packed[key] = (library, symbol, lanes)
    return bench.packed[key]


def padded(n, by):
    return -(-n // by) * by


def matmul(bench, m, n, k, rows=8, columns=32):
    """Strict and with `contract`, prepacked and with the packing inside."""
    words = {"M": m, "N": n, "K": k, "ROWS": rows, "COLUMNS": columns}
    small = {"M": 9, "N": 35, "K": 5, "ROWS": rows, "COLUMNS": columns}
    peers = bench.peers(M=m, N=n, K=k)
    sizes = [4 * s for s in (m * k, k * n, m * n, padded(m, rows) * k, k * padded(n, columns),
                             padded(m, rows) * padded(n, columns), m * n, m * n, m * n)]
    for contract in (False, True):
        kind = "contract" if contract else "strict"
        source, product = MATMUL / "product.py", MATMUL / "product.sch.py"
        right = all(bench.agrees(source, s, small, contract) for s in (product, MATMUL / "packed.sch.py"))
        apart, lanes = bench.lower(source, product, f"apart_{kind}", words, contract, adapters=True)
        inside, symbol, _ = packed(bench, words, contract)
        variants = [
            ("!A", apart, f"apart_{kind}_pack_A__packed", (0, 3)),
            ("!B", apart, f"apart_{kind}_pack_B__packed", (1, 4)),
            ("inside", inside, f"{symbol}__packed", (0, 1, 2)),
            ("apart", apart, f"apart_{kind}__packed", (3, 4, 5)),
            ("naive", peers, "matmul", (0, 1, 7)),
            ("peak", peers, "peak", (8,)),
        ]
        blas = [("openblas", peers, "openblas", (0, 1, 6))]
        count = 3e8 / (m * n * k)
        try:
            runs = [bench.time(sizes, variants + blas, 10 * count, core) for core in CORES]
            t = min(runs, key=lambda run: run["openblas"][0] / run["peak"][0])
        except Failed as no:
            print(f"OpenBLAS is left out ({no})", file=sys.stderr)
            t = bench.time(sizes, variants, 10 * count)
        flops = 2e-3 * m * n * k
        peak = 12 * 16 * 2 * 10000e-3 / t["peak"][0]
        yield {
            "case": f"matmul {m} x {n} x {k}, {kind}",
            "how": f"tile {rows} x {columns}, vectors of {lanes}",
            "right": right and t["inside"][2] == 0 and max(t[p][2] for p in t if p in ("naive", "openblas")) < 1e-3,
            "us": t["inside"][0],
            "share_of_peak": flops / t["inside"][0] / peak,
            "share_of_peak_packing_excluded": flops / t["apart"][0] / peak,
            "ratios": {
                **({"OpenBLAS, packing included": t["openblas"][0] / t["inside"][0],
                    "OpenBLAS, packing excluded": t["openblas"][0] / t["apart"][0]} if "openblas" in t else {}),
                "g++ -O3, naive loops": t["naive"][0] / t["inside"][0],
            },
            "bars": {} if "openblas" not in t else (
                {"OpenBLAS, packing included": 1.0 if contract else 0.9, **({} if contract else {"OpenBLAS, packing excluded": 1.2})}),
        }


def packing(bench):
    """The adapters of one product and of one image, against memcpy of as many bytes."""
    for m, n, k in ((127, 127, 127), (512, 512, 512)):
        words = {"M": m, "N": n, "K": k, "ROWS": 8, "COLUMNS": 32}
        apart, _ = bench.lower(MATMUL / "product.py", MATMUL / "product.sch.py", "adapted", words, adapters=True)
        for name, p, q, physical in (("A", m, k, padded(m, 8) * k), ("B", k, n, k * padded(n, 32)),
                                     ("C", m, n, padded(m, 8) * padded(n, 32))):
            peers = bench.peers(BYTES=4 * p * q)
            t = bench.time([4 * p * q, 4 * physical, 4 * p * q, 4 * p * q],
                           [("pack", apart, f"adapted_pack_{name}__packed", (0, 1)),
                            ("unpack", apart, f"adapted_unpack_{name}__packed", (1, 2)),
                            ("copy", peers, "copy", (0, 3))], 300)
            form = {"A": "[i // 8, k, i % 8], transposed", "B": "[j // 32, k, j % 32]",
                    "C": "[i // 8, j // 32, i % 8, j % 32]"}[name]
            yield {
                "case": f"pack, unpack of {p} x {q} as {form}",
                "how": "", "right": t["unpack"][1] == t["copy"][1], "us": t["pack"][0],
                "ratios": {"memcpy, pack": t["copy"][0] / t["pack"][0], "memcpy, unpack": t["copy"][0] / t["unpack"][0]},
                "bars": {"memcpy, pack": 0.7, "memcpy, unpack": 0.7},
            }


def convolution(bench, form, channels, contract):
    # What `proviso tune` found: the weights of 16 of 64 channels fit into the first cache.
    pixels, group = (14, 16) if form == "nhwc" and channels % 16 == 0 else (7, 32)
    words = {"CHANNELS": channels, "PIXELS": pixels, "LANES": group}
    source, schedule = CASES / f"conv_{form}.py", CASES / f"conv_{form}.sch.py"
    right = bench.agrees(source, schedule, {**words, "CHANNELS": 5 + channels % 2}, contract)
    library, lanes = bench.lower(source, schedule, f"conv_{form}", words, contract, adapters=True)
    peers = bench.peers(CHANNELS=channels)
    wide, image = padded(channels, group), padded(channels, 16)
    sizes = [4 * s for s in (256 * channels, 9 * channels * channels, 9 * channels * wide, 256 * image, 196 * wide,
                             196 * channels, 196 * channels)]
    x = 3 if form == "nchw" else 0
    conv = (library, f"conv_{form}__packed", (x, 2, 4))
    pack_x = [("!X", library, f"conv_{form}_pack_X__packed", (0, 3))] if form == "nchw" else []
    first = [("!W", library, f"conv_{form}_pack_W__packed", (1, 2)), *pack_x, ("!Y", *conv)]
    t = bench.time(sizes, [*first, ("unpack", library, f"conv_{form}_unpack_Y__packed", (4, 5)), ("conv", *conv),
                           ("naive", peers, f"conv_{form}", (0, 1, 6))], 200)
    name = "NCHWc" if form == "nchw" else "NHWC"
    return {
        "case": f"convolution 3 x 3, 14 x 14, {channels} channels, {name}, {'contract' if contract else 'strict'}",
        "how": f"tile {pixels} x {group}, vectors of {lanes}", "right": right and t["naive"][2] < 1e-3, "us": t["conv"][0],
        "ratios": {"g++ -O3, naive loops": t["naive"][0] / t["conv"][0]}, "bars": {"g++ -O3, naive loops": 3},
    }


def rows(bench, name, length):
    words = {"LENGTH": length, "LANES": 20 if length == 100 else 40}
    source, schedule = CASES / f"{name}.py", CASES / f"{name}.sch.py"
    right = bench.agrees(source, schedule, words)
    library, lanes = bench.lower(source, schedule, name, words)
    t = bench.time([4 * 64 * length] * 3, [("own", library, f"{name}__packed", (0, 1)),
                                            ("naive", bench.peers(LENGTH=length), name, (0, 2))], 300)
    return {
        "case": f"{name.replace('_', ' ')}, 64 rows of {length}", "how": f"vectors of {lanes}",
        "right": right and t["naive"][2] < 1e-4, "us": t["own"][0],
        "ratios": {"g++ -O3, libm": t["naive"][0] / t["own"][0]}, "bars": {"g++ -O3, libm": 2},
    }


def bandwidth(bench, name, bytes_moved, physical):
    source, schedule = CASES / f"{name}.py", CASES / f"{name}.sch.py"
    library, lanes = bench.lower(source, schedule, name, {})
    t = bench.time([physical, physical, physical],
                   [("own", library, f"{name}__packed", (0, 1)), ("copy", bench.peers(BYTES=bytes_moved), "copy", (0, 2))], 100)
    small = {"1000": 20, "1001": 21}
    return {
        "case": f"{name} of 1000 x 1001", "how": f"vectors of {lanes}",
        "right": bench.agrees(source, schedule, small), "us": t["own"][0],
        "ratios": {"memcpy": t["copy"][0] / t["own"][0]}, "bars": {"memcpy": 0.9},
    }


def guarded(proviso_bench):
    """What proviso-bench --runtime measures: the same schedule with its guards and without."""
    for case in json.loads(call(proviso_bench, "--runtime", "--json")):
        yield {
            "case": f"without guards: {case['name']}", "how": "", "right": "failed" not in case,
            "us": case.get("branch_free_us", 0), "ratios": {"the same with guards": case.get("ratio", 0)},
            "bars": {"the same with guards": 5},
        }


def cases(bench, proviso_bench, only):
    """Those of the groups whose name has `only` in it."""
    groups = {
        "matmul": lambda: (c for size in ((127, 127, 127), (512, 512, 512), (1000, 1000, 127)) for c in matmul(bench, *size)),
        "pack": lambda: packing(bench),
        "convolution": lambda: (convolution(bench, form, channels, contract) for form in ("nhwc", "nchw")
                                for channels in (64, 27) for contract in (False, True)),
        "softmax": lambda: (rows(bench, "softmax", length) for length in (100, 1000)),
        "layer_norm": lambda: (rows(bench, "layer_norm", length) for length in (100, 1000)),
        "scale": lambda: [bandwidth(bench, "scale", 4 * 1000 * 1001, 4 * 1000 * 1024)],
        "transpose": lambda: [bandwidth(bench, "transpose", 4 * 1000 * 1001, 4 * 1008 * 1008)],
        "guards": lambda: guarded(proviso_bench),
    }
    for name, group in groups.items():
        if only in name:
            yield from group()


def print_case(c):
    share = f", {100 * c['share_of_peak']:.0f} % of peak" if "share_of_peak" in c else ""
    print(f"{c['case']}: {c['us']:.1f} us ({c['how']}{share}){'' if c['right'] else '  WRONG RESULT'}")
    for peer, ratio in c["ratios"].items():
        bar = c["bars"].get(peer)
        verdict = "" if bar is None else f"  bar {bar:g}: {'met' if ratio >= bar else 'missed'}"
        print(f"    {ratio:6.2f} times {peer}{verdict}", flush=True)


def steps(bench, size, rows=8, columns=32):
    """Microseconds of a product after each step of packed.sch.py, and GFLOP/s."""
    words = {"M": size, "N": size, "K": size, "ROWS": rows, "COLUMNS": columns}
    parts = re.split(r"^# Step: (.*)$", (MATMUL / "packed.sch.py").read_text(), flags=re.M)
    prefixes = [("as written", "")]
    for at in range(1, len(parts), 2):
        title = parts[at].replace("ROWS", str(rows)).replace("COLUMNS", str(columns))
        prefixes.append((title, "".join(parts[k] for k in range(0, at, 2))))
    variants = []
    for number, (_, text) in enumerate(prefixes[:-1]):
        schedule = bench.folder / "step.sch.py"
        schedule.write_text(text)
        library, _ = bench.lower(MATMUL / "product.py", schedule, f"step{number}_{size}", words)
        variants.append((f"step{number}", library, f"step{number}_{size}__packed", (0, 1, 2)))
    for contract in (False, True):
        library, symbol, _ = packed(bench, words, contract)
        variants.append((f"step{len(variants)}", library, f"{symbol}__packed", (0, 1, 2)))
    titles = [title for title, _ in prefixes] + ["the licence `contract`"]
    t = bench.time([4 * size * size] * 3, variants, 2e8 / size**3)
    return [(title, t[f"step{k}"][0], 2e-3 * size**3 / t[f"step{k}"][0]) for k, title in enumerate(titles)]


def page_of(results, after_steps):
    """The measured part of docs/performance.md."""
    out = ["## Measured", ""]
    if after_steps:
        out += ["| after this step | " + " | ".join(f"{n} cubed, GFLOP/s" for n in after_steps) + " |",
                "|---|" + "---|" * len(after_steps)]
        for row in zip(*after_steps.values()):
            out.append(f"| {row[0][0]} | " + " | ".join(f"{r[2]:.1f}" for r in row) + " |")
        out.append("")
    out += ["| case | µs | how | share of peak | against | ratio | bar |", "|---|---|---|---|---|---|---|"]
    for c in results:
        head = [c["case"] + ("" if c["right"] else " (WRONG RESULT)"), f"{c['us']:.1f}", c["how"],
                f"{100 * c['share_of_peak']:.0f} %" if "share_of_peak" in c else ""]
        for peer, ratio in c["ratios"].items():
            bar = c["bars"].get(peer)
            verdict = "" if bar is None else f"{bar:g}, {'met' if ratio >= bar else 'missed'}"
            out.append(f"| {' | '.join(head)} | {peer} | {ratio:.2f} | {verdict} |")
            head = [""] * 4
    return "\n".join(out) + "\n"


def write_page(path, text):
    before = path.read_text().split("## Measured")[0]
    path.write_text(before + text)


def main():
    parser = argparse.ArgumentParser(prog="./dev bench runtime", description=__doc__)
    parser.add_argument("--json", action="store_true", help="a line of JSON for each case")
    parser.add_argument("--only", default="", help="matmul, pack, convolution, softmax, layer_norm, scale, transpose or guards")
    parser.add_argument("--rounds", type=float, default=1.0, help="times the usual number of rounds")
    parser.add_argument("--steps", action="store_true", help="also a product after each step of its schedule")
    parser.add_argument("--page", default="", help="page whose measured part is written anew")
    parser.add_argument("--proviso", default="build/release/proviso")
    arguments = parser.parse_args()
    proviso = pathlib.Path(arguments.proviso).resolve()
    results, after_steps = [], {}
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(proviso, pathlib.Path(folder), arguments.rounds)
        if arguments.steps:
            after_steps = {127: steps(bench, 127)}
        for size, measured in after_steps.items():
            for title, us, gflops in measured:
                print(f"{size} cubed, {title}: {us:.1f} us, {gflops:.1f} GFLOP/s", file=sys.stderr)
        for case in cases(bench, proviso.with_name("proviso-bench"), arguments.only):
            results.append(case)
            if arguments.json:
                print(json.dumps(case), flush=True)
            else:
                print_case(case)
            if arguments.page:
                write_page(pathlib.Path(arguments.page), page_of(results, after_steps))
    return 0 if all(case["right"] for case in results) else 1


if __name__ == "__main__":
    sys.exit(main())
