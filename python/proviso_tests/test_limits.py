"""Options of the wrong kind, limits of one call, and what becomes of one that ends early."""

import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import numpy as np
import proviso
from common import COPY, EXAMPLES

ENDLESS = dict(no_proof=True, tests=10**12)


class Options(unittest.TestCase):
    def test_options_of_the_wrong_kind_are_errors(self):
        program = proviso.parse(COPY)
        for options in ({"solver_seconds": 0}, {"solver_seconds": "1"}, {"solver_seconds": 1.5},
                        {"solver_seconds": True}, {"solver_memory": 1 << 60}, {"solver_effort": -1},
                        {"flatten": 1}, {"flatten": "no"}, {"symbol": 3}, {"symbol": "a b"}, {"target": 3},
                        {"target": "\udc80"}, {"cache": 3}, {"cache": "a\0b"}, {"seconds": 3}):
            with self.assertRaises(proviso.Error):
                program.lower(**options)
            for ask in (lambda o: proviso.prove("x == x", **o), lambda o: proviso.simplify("x", **o)):
                if "seconds" not in options:
                    with self.assertRaises(proviso.Error):
                        ask(options)

    def test_arguments_of_the_wrong_kind_are_errors(self):
        program = proviso.parse(COPY)
        for wrong in (
            lambda: proviso.parse(3),  # trap: the file of that number is opened
            lambda: proviso.parse(None),
            lambda: proviso.parse(""),
            lambda: proviso.parse("a\0b"),
            lambda: proviso.parse("/dev/zero"),  # trap: without an end
            lambda: proviso.parse(str(EXAMPLES)),
            lambda: proviso.parse("x = '\udc80'\n"),
            lambda: proviso.parse(COPY, name="\udc80"),
            lambda: program.lower(b"sch.simplify()"),
            lambda: program.lower("sch.simplify()\n\udc80"),
            lambda: program.lower().so("a\0b"),
            lambda: program.lower().log.write(7),
            lambda: proviso.prove(3),
            lambda: proviso.prove("x == x", given=[3]),
            lambda: proviso.prove("x == x", vars=["x"]),
            lambda: proviso.prove("x == x", vars={"x": "int33"}),
            lambda: proviso.prove("x == x", vars={3: "int32"}),
            lambda: proviso.simplify("x", licences="all"),
            lambda: proviso.solve(3, "x"),
            lambda: proviso.solve("invert", "i -> i", extents=[3]),
            lambda: proviso.check(program, 3),
            lambda: proviso.check(program, program, set={"n": object()}),
            lambda: proviso.check(program, program, tests=float("nan")),
            lambda: proviso.check(program, program, function=3),
            lambda: proviso.bounds(program, sizes=[3]),
            lambda: proviso.bounds(program, flatten=3),
            lambda: proviso.audit(3),
            lambda: proviso.audit("log", policy="E4"),
            lambda: proviso.audit("log", jobs=-1),
            lambda: proviso.audit("log", outputs="file"),
            lambda: proviso.audit("log", outputs=["no-such-file"]),
        ):
            with self.assertRaises(proviso.Error):
                wrong()


class Limits(unittest.TestCase):
    def test_an_answer_in_a_process_of_its_own_is_the_same(self):
        for ask in (lambda **o: proviso.prove("x * x > x", given=["x >= 0"], **o),
                    lambda **o: proviso.simplify("(x * 8) // 4", **o),
                    lambda **o: proviso.solve("bounds", "2 * x < n", variable="x", **o),
                    lambda **o: proviso.check(COPY, COPY, **o),
                    lambda **o: proviso.bounds(EXAMPLES / "two_stages.py", **o),
                    lambda **o: proviso.audit("no-such-log", **o)):
            here, apart = ask(), ask(seconds=100, memory=8000)
            for answer in (here, apart):
                answer.details.pop("ns", None)
            self.assertEqual(here, apart)
        with self.assertRaisesRegex(proviso.Error, "<goal>:1:5"):
            proviso.prove("x + > 1", seconds=100)

    def test_one_that_takes_too_long_is_no_answer(self):
        with self.assertRaisesRegex(proviso.Error, "1 seconds of processor time") as caught:
            proviso.check(COPY, COPY, seconds=1, **ENDLESS)
        self.assertEqual(caught.exception.verdict, "UNKNOWN")  # and no pass

    def test_one_that_crashes_is_no_answer(self):
        with self.assertRaisesRegex(proviso.Error, "no answer: its process ended with") as caught:
            proviso.prove("x == x", memory=1)
        self.assertEqual(caught.exception.verdict, "UNKNOWN")
        self.assertTrue(proviso.prove("x == x"))

    def test_ctrl_c_ends_a_process_of_its_own_at_once(self):
        # What is started in the background by a shell ignores it.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        timer = threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT))
        began = time.monotonic()
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            proviso.check(COPY, COPY, seconds=600, **ENDLESS)
        self.assertLess(time.monotonic() - began, 120)

    def test_ctrl_c_is_seen_when_the_call_has_ended(self):
        code = ("import os, signal, threading, proviso\n"
                "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
                "def later():\n    os.kill(os.getpid(), signal.SIGINT)\n"
                f"text = {COPY!r}\n"
                "timer = threading.Timer(0.2, later)\ntimer.start()\n"
                "try:\n"
                "    while True:\n        proviso.parse(text).lower('sch.parallel(sch.loop(\"i\"))')\n"
                "except KeyboardInterrupt:\n"
                "    print(proviso.parse(text).lower().log.audit().verdict)\n")
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
        self.assertEqual(ran.stdout, "VERIFIED\n", ran.stderr)


class Processes(unittest.TestCase):
    @unittest.skipUnless(hasattr(os, "fork"), "no fork")
    def test_a_forked_process_can_go_on(self):
        lowered = proviso.parse(EXAMPLES / "row_sum.py").lower(EXAMPLES / "row_sum.sch.py")
        before = lowered.run(A=np.ones((5, 27), "float32"))["S"].tolist()
        child = os.fork()
        if child == 0:
            same = lowered.run(A=np.ones((5, 27), "float32"))["S"].tolist() == before
            os._exit(0 if same and proviso.prove("x == x") else 1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)

    def test_a_subinterpreter_is_told(self):
        if not any(importlib.util.find_spec(name) for name in ("_interpreters", "_xxsubinterpreters")):
            self.skipTest("no subinterpreters")
        code = ("import sys\nsys.path[:] = %r\ntry:\n    import proviso\nexcept ImportError as e:\n"
                "    open(%r, 'w').write(str(e))\nelse:\n    open(%r, 'w').write('imported')\n")
        with tempfile.TemporaryDirectory() as folder:
            told = str(Path(folder) / "told")
            script = code % (sys.path, told, told)
            run = ("try:\n    import _interpreters as i\nexcept ImportError:\n    import _xxsubinterpreters as i\n"
                   f"one = i.create()\ni.run_string(one, {script!r})\ni.destroy(one)\n")
            ran = subprocess.run([sys.executable, "-c", "import proviso\n" + run], capture_output=True, text=True,
                                 env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertIn("subinterpreter", Path(told).read_text())


if __name__ == "__main__":
    unittest.main()
