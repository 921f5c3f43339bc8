"""The one checker process that stays: `proviso serve`, and a cache of its answers."""

import atexit
import hashlib
import json
import os
import queue
import shutil
import subprocess
import threading
from concurrent.futures import Future
from pathlib import Path

# Budgets of one comparison: counts of work, so that an answer does not depend on the machine.
DEFAULTS = {
    "tests": 60, "step_limit": 3_000_000, "claim_limit": 256, "cell_limit": 65536,
    "solver_seconds": 20,
}
# What callers pass at most, where no derivation is found without such a bound: indices of a tensor
# that is as large as its type allows leave `int32` in many programs of TVM's.
AT_MOST = 32768
# How far an answer reaches, best first, and what else there is.
CLASSES = ["same text", "same but checks", "PROVED", "at its sizes", "at twins", "BOUNDED",
           "TESTED", "REFUTED", "UNKNOWN", "relation", "not read"]


def find_binary(given=None):
    """The program `proviso`: given, named by PROVISO, on the path, or of a build in the tree."""
    built = Path(__file__).resolve().parents[2] / "build" / "release" / "proviso"
    for one in (given, os.environ.get("PROVISO"), shutil.which("proviso"), str(built)):
        if one and os.access(one, os.X_OK):
            return one
    raise FileNotFoundError("no program `proviso`: name it by the environment variable PROVISO")


def class_of(answer):
    """One of CLASSES, for the tables."""
    if "error" in answer:
        message = answer["error"].get("message", "")
        other = message.startswith("parameter ") or "asks more of its caller" in message
        return "relation" if other else "not read"
    verdict = answer["verdict"]
    if verdict == "BOUNDED" and answer.get("all_sizes"):
        return "at its sizes"
    return verdict


class Server:
    """One process. Not for several threads at once."""

    def __init__(self, binary, seconds=60):
        self.words = [binary, "serve", "--seconds", str(seconds)]
        self.process = None

    def ask(self, request):
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(self.words, stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            self.process = None
            return {"verdict": "UNKNOWN", "reason": "the checker ended", "exit_code": 3}
        return json.loads(line)

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()
            self.process = None


class NoChecker:
    """Stands for a checker where pairs are made and nobody asks about them."""

    @staticmethod
    def compare(before, after, licences=()):
        future = Future()
        future.set_result({})
        return future


class Checker:
    """Compares pairs of texts in the background; the answer to a pair is a Future.

    Answers are kept by the hash of both texts and the options, in memory and in `cache`, a file of
    JSON lines. `jobs` is the number of processes.
    """

    def __init__(self, binary=None, jobs=1, cache=None, options=None, proof=True, seconds=60):
        self.binary = find_binary(binary)
        self.options = dict(DEFAULTS, **(options or {}))
        self.proof = proof
        self.seconds = seconds  # of the processor, for one request
        self.asked = self.hits = 0
        self._answers = {}
        self._open = {}
        self._lock = threading.Lock()
        self._queue = queue.Queue()
        self._file = None
        if cache is not None:
            self._read(Path(cache))
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(jobs)]
        for thread in self._threads:
            thread.start()

    def version(self):
        return subprocess.run([self.binary, "--version"], capture_output=True, text=True,
                              check=True).stdout.split("(")[0].strip()

    def _read(self, path):
        stamp = hashlib.sha256(Path(self.binary).read_bytes()).hexdigest()
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    row = json.loads(line)
                    if row["binary"] == stamp:
                        self._answers[row["key"]] = row["answer"]
                except (ValueError, KeyError, TypeError):
                    continue  # a line that was cut off: asked again
        self._stamp = stamp
        self._file = path.open("a", encoding="utf-8")

    def key(self, before, after, licences=()):
        whole = json.dumps([before, after, self.options, self.proof] + list(licences),
                           sort_keys=True)
        return hashlib.sha256(whole.encode("utf-8")).hexdigest()

    def compare(self, before, after, licences=()):
        """A Future of the answer, as `proviso serve` gives it.

        Where the second program is refuted, it is looked at once more under the licences: the
        answer says in `under` if it rests on them.
        """
        future = Future()
        if before == after:
            future.set_result({"verdict": "PROVED", "same_text": True, "all_sizes": True,
                               "reason": "both texts are the same", "exit_code": 0})
            return future
        key = self.key(before, after, licences)
        with self._lock:
            self.asked += 1
            if key in self._answers:
                self.hits += 1
                future.set_result(self._answers[key])
                return future
            if key in self._open:
                self.hits += 1
                return self._open[key]
            self._open[key] = future
        self._queue.put((key, before, after, licences, future))
        return future

    def _work(self):
        server = Server(self.binary, self.seconds)
        while True:
            job = self._queue.get()
            if job is None:
                server.close()
                return
            key, before, after, licences, future = job
            try:
                answer = self._ask(server, before, after)
                if licences and class_of(answer) == "REFUTED":
                    answer = self._ask_under(server, before, after, list(licences), answer)
            except Exception as wrong:  # the thread goes on: others wait for it
                answer = {"verdict": "UNKNOWN", "reason": f"the checker failed: {wrong}",
                          "exit_code": 3}
            with self._lock:
                self._answers[key] = answer
                self._open.pop(key, None)
                if self._file is not None:
                    row = {"binary": self._stamp, "key": key, "answer": answer}
                    self._file.write(json.dumps(row) + "\n")
                    self._file.flush()
            future.set_result(answer)

    def _ask_under(self, server, before, after, licences, strict):
        options = dict(self.options, no_proof=True, licences=licences)
        answer = server.ask({"before": before, "after": after, "options": options})
        return strict if class_of(answer) in ("REFUTED", "not read") else answer

    def _ask(self, server, before, after):
        request = {"before": before, "after": after, "options": dict(self.options, no_proof=True)}
        answer = server.ask(request)
        settled = class_of(answer) in ("at its sizes", "REFUTED", "not read", "relation")
        if settled or not self.proof:
            return answer
        # Execution has left something open: a derivation may close it.
        better = server.ask(dict(request, options=self.options))
        if class_of(better) in ("PROVED", "REFUTED", "at its sizes"):
            return better
        if class_of(answer) == "BOUNDED":  # at the sizes that were tried
            bounded = server.ask(dict(request, options=dict(self.options, at_most=AT_MOST)))
            if class_of(bounded) == "PROVED":
                return bounded
        return answer

    def close(self):
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join()
        if self._file is not None:
            self._file.close()




_shared = []


def shared_checker():
    """The checker of this process, for those that are given none."""
    if not _shared:
        _shared.append(Checker())
        atexit.register(_shared[0].close)
    return _shared[0]
