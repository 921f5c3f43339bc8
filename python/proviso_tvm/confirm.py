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


def parse_inputs(text, func):
    """The inputs of a refutation ("A = [0.0, nan], n = 3"), or None where some are cut off."""
    values = []
    for name, shape, dtype in parameters(func):
        found = re.search(rf"(?:^|, ){re.escape(name)} = (\[[^\]]*\]|[^,\[]+)", text)
        if found is None or "…" in found.group(1) or "..." in found.group(1):
            return None
        words = [w.strip() for w in found.group(1).strip("[]").split(",") if w.strip()]
        words = [{"True": "1", "False": "0"}.get(w, w) for w in words]
        kind = np.dtype(dtype) if dtype != "bfloat16" else None
        if kind is None:
            return None
        try:
            cells = np.array([float(w) if kind.kind == "f" else int(w) for w in words]).astype(kind)
        except (ValueError, OverflowError):
            return None
        if shape is not None:
            if cells.size != int(np.prod(shape, dtype=int)):
                return None
            cells = cells.reshape(shape)
        else:
            cells = cells[0]
        values.append(cells)
    return values


def run_proviso(func, inputs, binary=None, name="main"):
    """The buffers after `proviso run --engine interp`, by name; raises RuntimeError on a fault."""
    got = export(func, name)
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


def run_tvm(func, inputs, target="llvm", config=None):
    """The buffers after TVM's compiled code, in the order of the parameters."""
    mod = tvm.IRModule({"main": func.with_attr("global_symbol", "main")})
    with tvm.transform.PassContext(config=config or {}):
        built = tvm.compile(mod, target=target)
    args = [tvm.runtime.tensor(v) if isinstance(v, np.ndarray)
            else np.asarray(v).item() for v in inputs]
    built["main"](*args)
    return [a.numpy() if hasattr(a, "numpy") else a for a in args]


def difference(expected, got, rtol=0.0):
    """Where two results differ, as text; "" where they are the same."""
    for name, want in expected.items():
        have = got[name]
        want, have = np.asarray(want), np.asarray(have)
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


def confirm(source, final=None, text="", seeds=4, rtol=1e-5):
    """Runs TVM's code of `final` (or `source`) against the interpreter on `source`.

    Gives the first difference as text, or "". `text` is the inputs of a refutation.
    """
    tries = []
    if text:
        given = parse_inputs(text, source)
        if given is not None:
            tries.append(given)
    tries += [random_inputs(source, s, special=s % 2 == 1) for s in range(seeds)]
    for inputs in tries:
        try:
            want = run_proviso(source, copies(inputs))
        except RuntimeError:
            continue  # the source has a fault there: anything is right
        got = run_tvm(final if final is not None else source, copies(inputs))
        found = difference(want, dict(zip(want, got)), rtol)
        if found:
            return found
    return ""
