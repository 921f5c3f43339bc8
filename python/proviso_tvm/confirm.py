"""What a program gives: by Proviso's interpreter, and by TVM's compiled code."""

import re
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import tvm

from .checker import find_binary
from .export import export

_RANDOM = 20260101


def parameters(func):
    """(name, shape, dtype) of the buffers and (name, None, dtype) of the scalars."""
    out = []
    for p in func.params:
        ty = p.ty
        if type(ty).__name__ == "BufferType":
            out.append((p.name, tuple(int(e) for e in ty.shape), str(ty.dtype.dtype)))
        else:
            out.append((p.name, None, str(ty.dtype)))
    return out


def random_inputs(func, seed=0, special=False):
    """Values of each parameter, in order. `special` mixes in NaN, infinities and zeros."""
    rng = np.random.default_rng(_RANDOM + seed)
    out = []
    for _, shape, dtype in parameters(func):
        size = () if shape is None else shape
        if dtype == "bool":
            values = rng.integers(0, 2, size=size).astype(bool)
        elif dtype.startswith(("int", "uint")):
            low = 0 if dtype.startswith("u") else -9
            values = rng.integers(low, 10, size=size).astype(dtype)
        else:
            values = rng.uniform(-4, 4, size=size).astype(dtype)
            if special and size:
                odd = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0], dtype=dtype)
                values = np.where(rng.uniform(size=size) < 0.3, rng.choice(odd, size=size),
                                  values)
        out.append(np.asarray(values) if shape is not None else np.asarray(values).item())
    return out


def copies(inputs):
    return [np.copy(v) if isinstance(v, np.ndarray) else v for v in inputs]


def _cells(text, shape, kind):
    """The cells of one buffer as `check` tells them, or None where some are cut off."""
    number = float if kind.kind == "f" else int

    def value(word):
        return number({"True": "1", "False": "0"}.get(word.strip(), word.strip()))

    if text.startswith("["):
        words = [w for w in text.strip("[]").split(",") if w.strip()]
        cells = np.array([value(w) for w in words]).astype(kind)
        return cells.reshape(shape) if cells.size == int(np.prod(shape, dtype=int)) else None
    head, _, rest = text.partition(" but for ")
    cells = np.full(shape, value(head.removesuffix(" in all cells"))).astype(kind)
    for at, one in re.findall(r"\[([\d, ]*)\] = ([^,\s]+)", rest):
        cells[tuple(int(k) for k in at.split(",") if k.strip())] = value(one)
    return cells


def parse_inputs(text, func):
    """The inputs of a refutation ("A = [0.0, nan], n = 3"), or None where some are not told."""
    rows = parameters(func)
    places = []
    for name, _, _ in rows:
        found = re.search(rf"(?:^|, ){re.escape(name)} = ", text)
        if found is None:
            return None
        places.append((found.start(), found.end()))
    starts = sorted(start for start, _ in places) + [len(text)]
    values = []
    for (name, shape, dtype), (start, end) in zip(rows, places):
        told = text[end:min(s for s in starts if s > start)].strip()
        if "…" in told or "..." in told or "more" in told or dtype == "bfloat16":
            return None
        try:
            if shape is None:
                kind = np.dtype(dtype)
                values.append(float(told) if kind.kind == "f" else
                              {"True": True, "False": False}.get(told) or int(told))
                continue
            cells = _cells(told, shape, np.dtype(dtype))
        except (ValueError, OverflowError, IndexError):
            return None
        if cells is None:
            return None
        values.append(np.asarray(cells))
    return values


def run_proviso(func, inputs, binary=None, name="main", kernels=None):
    """The buffers after `proviso run --engine interp`, by name; raises RuntimeError on a fault."""
    got = export(func, name, kernels=kernels)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        (path / "program.py").write_text(got.text, encoding="utf-8")
        words = [find_binary(binary), "run", "program.py", "--engine", "interp", "-o", "out", "-q"]
        for short, value in zip(got.params, inputs):
            if isinstance(value, np.ndarray):
                np.save(path / f"{short}.npy", value)
                words += ["--in", f"{short}={short}.npy"]
            else:
                words += ["--set", f"{short}={np.asarray(value).item()}"]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip() or done.stdout.strip())
        out = {}
        for file in (path / "out").glob("*.npy"):
            out[file.stem] = np.load(file)
        return {p: out.get(p, v) for p, v in zip(got.params, inputs)}


def texts_differ(before, after, seeds=(0, 1, 2, 3, 7, 8)):
    """Runs both texts by `proviso run` on generated inputs: the first difference, or ""."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        (path / "before.py").write_text(before, encoding="utf-8")
        (path / "after.py").write_text(after, encoding="utf-8")
        for seed in seeds:
            done = []
            for name in ("before", "after"):
                words = [find_binary(), "run", f"{name}.py", "--engine", "interp", "--random",
                         "--seed", str(seed), "-o", f"{name}.out", "-q"]
                done.append(subprocess.run(words, cwd=folder, capture_output=True, text=True,
                                           check=False))
            if done[0].returncode != 0:
                continue  # a fault: any program refines that
            if done[1].returncode != 0:
                return f"seed {seed}: {done[1].stderr.strip()[:200]}"
            for file in sorted((path / "before.out").glob("*.npy")):
                other = path / "after.out" / file.name
                if not other.exists():
                    continue
                found = difference({file.stem: np.load(file)}, {file.stem: np.load(other)})
                if found:
                    return f"seed {seed}: {found}"
    return ""


def compile_tvm(func, target="llvm", config=None):
    """TVM's compiled code as a function from inputs to the buffers after it."""
    mod = tvm.IRModule({"main": func.with_attr("global_symbol", "main")})
    with tvm.transform.PassContext(config=config or {}):
        built = tvm.compile(mod, target=target)

    def run(inputs):
        args = [tvm.runtime.tensor(v) if isinstance(v, np.ndarray) else v for v in inputs]
        built["main"](*args)
        return [a.numpy() if hasattr(a, "numpy") else a for a in args]

    return run


def run_tvm(func, inputs, target="llvm", config=None):
    """The buffers after TVM's compiled code, in the order of the parameters."""
    return compile_tvm(func, target, config)(inputs)


def difference(expected, got, rtol=0.0):
    """Where two results differ, as text; "" where they are the same."""
    for name, want in expected.items():
        have = got[name]
        want, have = np.asarray(want), np.asarray(have)
        if want.dtype.kind == "f":
            zeros = (want == 0) & (have == 0) & (np.signbit(want) != np.signbit(have))
            if np.any(zeros):
                at = tuple(int(x) for x in np.argwhere(zeros)[0]) if want.ndim else ()
                return f"{name}{list(at)}: {want[at]} expected, {have[at]} by compiled code"
        if want.dtype.kind == "f" and rtol > 0:
            same = np.isclose(want, have, rtol=rtol, atol=rtol, equal_nan=True)
        elif want.dtype.kind == "f":
            same = (want == have) | (np.isnan(want) & np.isnan(have))
        else:
            same = want == have
        if not np.all(same):
            at = tuple(int(x) for x in np.argwhere(~same)[0]) if want.ndim else ()
            return f"{name}{list(at)}: {want[at]} expected, {have[at]} by compiled code"
    return ""


def confirm(meaning, compiled, text="", seeds=4, rtol=1e-4):
    """Runs TVM's code of the function `compiled` against the interpreter on `meaning`.

    Gives two texts, "" for no difference: at the inputs of a refutation (`text`), and at random
    ones of moderate size. Where `meaning` has a fault, any result is right.
    """
    given = parse_inputs(text, compiled) if text else None
    run = compile_tvm(compiled)

    def at(inputs):
        try:
            want = run_proviso(meaning, copies(inputs))
        except RuntimeError:
            return ""
        return difference(want, dict(zip(want, run(copies(inputs)))), rtol)

    refuting = at(given) if given is not None else ""
    found = ""
    for seed in range(seeds):
        found = found or at(random_inputs(compiled, seed))
    return refuting, found


def compiled_says(meaning, compiled, text=""):
    """What `confirm` has seen, in words; a text that begins with "differs" is a difference."""
    try:
        refuting, moderate = confirm(meaning, compiled, text=text)
    except Exception as wrong:  # a program that TVM cannot compile or run
        return f"not run: {str(wrong).strip()[-160:]}"
    if moderate:
        return f"differs: {refuting or moderate}"
    return f"differs at these inputs only: {refuting}" if refuting else "no difference seen"
