"""One call of the native module in a process of its own, with limits: what calls.in_child starts."""

import json
import os
import resource
import sys


def main() -> None:
    asked = json.load(sys.stdin)
    # The answer goes where nothing else is printed.
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    seconds = asked["seconds"]
    # The kernel ends a process that goes on after the first limit with the second.
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    memory = asked["memory"] << 20
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    from proviso import _native

    try:
        told = {"answer": getattr(_native, asked["function"])(*asked["arguments"])}
    except _native.Failed as failed:
        told = {"failed": str(failed)}
    except MemoryError:
        told = {"memory": True}
    json.dump(told, answer)
    answer.close()
    os._exit(0)  # nothing is left to be done, and it would take time


if __name__ == "__main__":
    main()
