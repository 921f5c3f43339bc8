"""Programs and folders that the tests share."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
PROVISO = os.environ.get("PROVISO", str(ROOT / "build" / "release" / "proviso"))

COPY = '''
@T.prim_func
def f(A: T.Buffer((4, 8), "int32"), B: T.Buffer((4, 8), "int32")):
    for i, j in T.grid(4, 8):
        with T.block("copy"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
'''


def command(*arguments: str, **options):
    """What the command prints."""
    return subprocess.run([PROVISO, *arguments], capture_output=True, text=True, **options)
