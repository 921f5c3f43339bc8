"""Networks as TVM builds them, as files that Proviso reads.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install apache-tvm==0.27.0.post1 numpy
    /tmp/venv/bin/python bench/import_network.py -o tests/data/networks            # the texts
    /tmp/venv/bin/python bench/import_network.py --compare build/release/proviso   # against TVM

Each network is written as TVM prints it after LegalizeOps: functions over loops, and one function of Relax
that calls them. Weights are parameters. With --compare, TVM compiles the same module, and both run on the
same seeded inputs and weights. A measuring tool: nothing that is built or tested needs Python.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import tvm
from tvm import relax
from tvm.relax.frontend import nn
from tvm.relax.frontend.nn import op


def named(expr, name):
    return op.wrap_nested(expr, name)


def max_pool(x, size, stride, padding=0):
    return named(relax.op.nn.max_pool2d(x._expr, (size, size), (stride, stride), (padding, padding)), "max_pool")


def avg_pool(x, size):
    return named(relax.op.nn.avg_pool2d(x._expr, (size, size), (size, size)), "avg_pool")


def mean_of_cells(x):
    return named(relax.op.mean(x._expr, [2, 3]), "mean")


class LeNet5(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2D(1, 6, 5, padding=2)
        self.c2 = nn.Conv2D(6, 16, 5)
        self.f1 = nn.Linear(400, 120)
        self.f2 = nn.Linear(120, 84)
        self.f3 = nn.Linear(84, 10)

    def main(self, x):
        x = avg_pool(op.tanh(self.c1(x)), 2)
        x = avg_pool(op.tanh(self.c2(x)), 2)
        x = op.reshape(x, (1, 400))
        return self.f3(op.tanh(self.f2(op.tanh(self.f1(x)))))


class Normalized(nn.Module):
    """A convolution, and the normalization of its channels as a scale and a shift."""

    def __init__(self, inputs, outputs, size, stride=1, padding=0, groups=1):
        super().__init__()
        self.conv = nn.Conv2D(inputs, outputs, size, stride=stride, padding=padding, groups=groups, bias=False)
        self.scale = nn.Parameter((1, outputs, 1, 1))
        self.shift = nn.Parameter((1, outputs, 1, 1))

    def forward(self, x):
        return op.add(op.multiply(self.conv(x), self.scale), self.shift)


class Residual(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.a = Normalized(inputs, outputs, 3, stride, 1)
        self.b = Normalized(outputs, outputs, 3, 1, 1)
        self.short = Normalized(inputs, outputs, 1, stride) if inputs != outputs or stride != 1 else None

    def main(self, x):
        y = self.b(op.relu(self.a(x)))
        return op.relu(op.add(y, x if self.short is None else self.short(x)))


class Stem(nn.Module):
    """The start of a ResNet-18: 7 x 7, stride 2, and a maximum pool with a halo."""

    def __init__(self, channels=64):
        super().__init__()
        self.c = Normalized(3, channels, 7, 2, 3)

    def main(self, x):
        return max_pool(op.relu(self.c(x)), 3, 2, 1)


class ResNet18End(nn.Module):
    """The last block of a ResNet-18, its mean and its classes."""

    def __init__(self):
        super().__init__()
        self.block = Residual(512, 512)
        self.f = nn.Linear(512, 1000)

    def main(self, x):
        return self.f(mean_of_cells(self.block.main(x)))


class ResNet18(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = Stem()
        blocks = []
        inputs = 64
        for outputs in (64, 128, 256, 512):
            blocks.append(Residual(inputs, outputs, 1 if outputs == 64 else 2))
            blocks.append(Residual(outputs, outputs))
            inputs = outputs
        self.blocks = nn.ModuleList(blocks)
        self.f = nn.Linear(512, 1000)

    def main(self, x):
        x = self.stem.main(x)
        for block in self.blocks:
            x = block.main(x)
        return self.f(mean_of_cells(x))


class ShuffleUnit(nn.Module):
    """A unit of ShuffleNetV2: half of the channels pass, the others are convolved, and both are shuffled."""

    def __init__(self, channels):
        super().__init__()
        self.half = channels // 2
        self.a = Normalized(self.half, self.half, 1)
        self.b = Normalized(self.half, self.half, 3, 1, 1, groups=self.half)
        self.c = Normalized(self.half, self.half, 1)

    def main(self, x):
        n, channels, height, width = x.shape
        left, right = op.split(x, 2, 1)
        right = op.relu(self.c(self.b(op.relu(self.a(right)))))
        x = op.concat([left, right], 1)
        x = op.reshape(x, (n, 2, self.half, height, width))
        x = op.permute_dims(x, [0, 2, 1, 3, 4])
        return op.reshape(x, (n, channels, height, width))


class YoloHead(nn.Module):
    """255 values for each cell: of 3 boxes a place, an objectness and 80 classes."""

    def __init__(self, channels=85):
        super().__init__()
        self.a = Normalized(channels, channels, 3, 1, 1)
        self.b = nn.Conv2D(channels, 255, 1)

    def main(self, x):
        x = self.b(op.silu(self.a(x)))
        return op.sigmoid(op.permute_dims(op.reshape(x, (1, 3, 85, 13, 13)), [0, 1, 3, 4, 2]))


class Encoder(nn.Module):
    """A layer of DeiT-Tiny: attention of 3 heads over 197 tokens of 192, then two dense layers."""

    def __init__(self, tokens=197, width=192, heads=3):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.tokens, self.width = tokens, width
        self.n1 = nn.LayerNorm(width)
        self.n2 = nn.LayerNorm(width)
        self.q = nn.Linear(width, width)
        self.k = nn.Linear(width, width)
        self.v = nn.Linear(width, width)
        self.o = nn.Linear(width, width)
        self.f1 = nn.Linear(width, 4 * width)
        self.f2 = nn.Linear(4 * width, width)

    def of_heads(self, x):
        return op.permute_dims(op.reshape(x, (1, self.tokens, self.heads, self.size)), [0, 2, 1, 3])

    def main(self, x):
        y = self.n1(x)
        q, k, v = self.of_heads(self.q(y)), self.of_heads(self.k(y)), self.of_heads(self.v(y))
        scores = op.softmax(op.matmul(q, op.permute_dims(k, [0, 1, 3, 2])) * self.size**-0.5, -1)
        y = op.reshape(op.permute_dims(op.matmul(scores, v), [0, 2, 1, 3]), (1, self.tokens, self.width))
        x = op.add(x, self.o(y))
        return op.add(x, self.f2(op.gelu(self.f1(self.n2(x)))))


class Mixer(nn.Module):
    """A block of an MLP-Mixer: dense layers over patches, then over channels."""

    def __init__(self, patches=49, width=64, inner_patches=32, inner_width=128):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.p1, self.p2 = nn.Linear(patches, inner_patches), nn.Linear(inner_patches, patches)
        self.c1, self.c2 = nn.Linear(width, inner_width), nn.Linear(inner_width, width)

    def main(self, x):
        y = op.permute_dims(self.n1(x), [0, 2, 1])
        x = op.add(x, op.permute_dims(self.p2(op.gelu(self.p1(y))), [0, 2, 1]))
        return op.add(x, self.c2(op.gelu(self.c1(self.n2(x)))))


NETWORKS = {
    "lenet5": (LeNet5, (1, 1, 28, 28)),
    "resnet18_stem": (Stem, (1, 3, 56, 56)),
    "resnet18_block": (lambda: Residual(256, 512, 2), (1, 256, 14, 14)),
    "resnet18_end": (ResNet18End, (1, 512, 7, 7)),
    "resnet18": (ResNet18, (1, 3, 224, 224)),
    "shuffle_unit": (lambda: ShuffleUnit(116), (1, 116, 14, 14)),
    "yolo_head": (YoloHead, (1, 85, 13, 13)),
    "deit_layer": (Encoder, (1, 197, 192)),
    "mixer_block": (Mixer, (1, 49, 64)),
}


def build(name):
    make, shape = NETWORKS[name]
    module, weights = make().export_tvm({"main": {"x": nn.spec.Tensor(shape, "float32")}})
    module = relax.transform.LegalizeOps()(module)
    module = relax.transform.DeadCodeElimination()(module)
    return module, shape, weights


def inputs_of(module, seed):
    """Numbers of an eighth up to 1, so that sums of products stay exact for a while."""
    rng = np.random.default_rng(seed)
    return [
        (rng.integers(-8, 9, [int(d) for d in p.struct_info.shape]) / 8).astype(p.struct_info.dtype)
        if hasattr(p, "struct_info")
        else (rng.integers(-8, 9, [int(d) for d in p.ty.shape]) / 8).astype(str(p.ty.dtype))
        for p in module["main"].params
    ]


def compare(proviso, name, seed):
    module, _, _ = build(name)
    values = inputs_of(module, seed)
    names = [p.name.replace(".", "_") for p in module["main"].params]
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "net.py").write_text(text_of(name, module))
        given = []
        for key, value in zip(names, values):
            np.save(root / f"{key}.npy", value)
            given += ["--in", f"{key}={root / f'{key}.npy'}"]
        command = [proviso, "run", str(root / "net.py"), "-q", "-o", str(root / "out"), *given]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return f"proviso: exit code {done.returncode}: {done.stderr.strip()[:200]}"
        ours = np.load(next((root / "out").glob("*.npy")))
    executable = tvm.compile(module, target="llvm")
    machine = relax.VirtualMachine(executable, tvm.cpu())
    result = machine["main"](*[tvm.runtime.tensor(v) for v in values])
    theirs = result.numpy() if hasattr(result, "numpy") else result[0].numpy()
    if np.array_equal(ours, theirs):
        return "equal"
    scale = float(np.max(np.abs(theirs)))
    return f"largest difference {float(np.max(np.abs(ours - theirs))):.3g} of values up to {scale:.3g}"


def text_of(name, module):
    return f"# reads: yes; {name}, as TVM {tvm.__version__} prints it after LegalizeOps\n{module.script()}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("names", nargs="*", help="networks; default: all")
    parser.add_argument("-o", "--out", type=pathlib.Path, help="folder for the texts")
    parser.add_argument("--compare", metavar="PROVISO", help="run with this program and with TVM")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name in options.names:
        if name not in NETWORKS:
            sys.exit(f"no network is called '{name}'; there are: {', '.join(NETWORKS)}")
    for name in options.names or NETWORKS:
        if options.out is not None:
            options.out.mkdir(parents=True, exist_ok=True)
            module, _, _ = build(name)
            (options.out / f"{name}.py").write_text(text_of(name, module))
            print(f"{name}: written")
        if options.compare:
            print(f"{name}: {compare(options.compare, name, options.seed)}", flush=True)


if __name__ == "__main__":
    main()
