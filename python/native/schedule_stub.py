"""Writes python/proviso/schedule.pyi: the primitives with their arguments, as the native module has them.

usage: PYTHONPATH=build/release/python python python/native/schedule_stub.py > python/proviso/schedule.pyi
"""

from proviso import _native

HEAD = '''\
# Written by python/native/schedule_stub.py.
from typing import Any, Callable, ContextManager, Iterator

Ask = Callable[[str, list[tuple[str, int]]], str]

class _Recorder:
    def text(self) -> str: ...
    def places(self) -> list[tuple[str, int]]: ...

class Value:
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Value]: ...
    def __getitem__(self, index: int | slice) -> Any: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __bool__(self) -> bool: ...
    @property
    def extent(self) -> Any: ...
    @property
    def name(self) -> str: ...
    @property
    def branches(self) -> list[str]: ...

class Schedule:
    def inside(self, loop: Any) -> ContextManager[Schedule]: ...
'''


def stub() -> str:
    lines = [HEAD]
    for name, (arguments, _) in _native.primitives():
        if name == "inside":
            continue
        words = arguments
        parameters = ["self"]
        if words.startswith("..."):
            words = words[3:]
            parameters.append("*loops: Any")
        parameters += [f"{word}: Any = ..." for word in words.split()]
        lines.append(f"    def {name}({', '.join(parameters)}) -> Value: ...\n")
    lines.append("\ndef record(function: Callable[[Schedule], Any], ask: Ask) -> _Recorder: ...\n")
    return "".join(lines)


if __name__ == "__main__":
    print(stub(), end="")
