import ctypes
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import proviso
from common import COPY, EXAMPLES, command


class Programs(unittest.TestCase):
    def test_a_text_has_several_lines_and_a_path_one(self):
        path = EXAMPLES / "row_sum.py"
        self.assertEqual(str(proviso.parse(path)), str(proviso.parse(str(path))))
        self.assertEqual(str(proviso.parse(path)), str(proviso.parse(path.read_text())))
        self.assertEqual(str(proviso.parse(path)), command("fmt", str(path)).stdout)

    def test_a_mistake_has_its_place(self):
        with self.assertRaises(proviso.Error) as caught:
            proviso.parse("@T.prim_func\ndef f(A: T.Buffer((4,), 'int33')):\n    A[0] = 1\n", name="p.py")
        self.assertEqual((caught.exception.file, caught.exception.line), ("p.py", 2))
        self.assertIn("p.py:2:", str(caught.exception))
        self.assertEqual(caught.exception.verdict, "ERROR")

    def test_a_file_that_is_not_there_is_an_error(self):
        with self.assertRaisesRegex(proviso.Error, "cannot read none.py"):
            proviso.parse("none.py")

    def test_of_several_functions_one_is_chosen(self):
        two = COPY + COPY.replace("def f", "def g")
        with self.assertRaises(proviso.Error):  # trap: the first one would be taken silently
            proviso.parse(two).lower()
        self.assertIn("def g", proviso.parse(two)["g"].lower().text)
        self.assertIn("def g", proviso.parse(two, function="g").lower().text)
        with self.assertRaisesRegex(proviso.Error, "no function 'h'"):
            proviso.parse(two)["h"]

    def test_an_option_that_nobody_reads_is_an_error(self):
        with self.assertRaisesRegex(proviso.Error, "no option 'flaten'"):
            proviso.parse(COPY).lower(flaten=True)
        with self.assertRaisesRegex(proviso.Error, "no option 'solver_second'"):
            proviso.prove("x == x", solver_second=1)

    def test_a_program_that_nothing_can_run_is_refused(self):
        empty = '@T.prim_func\ndef f(n: T.int32, A: T.Buffer((n,), "int32")):\n' \
                '    T.func_attr({"tir_var_lower_bound": {"n": 5}, "tir_var_upper_bound": {"n": 3}})\n' \
                '    A[0] = 1\n'
        with self.assertRaisesRegex(proviso.Error, "has no input"):
            proviso.parse(empty).lower()


class Lowering(unittest.TestCase):
    def test_the_log_is_that_of_the_command_byte_for_byte(self):
        for name in ("row_sum", "mlp", "conv1d", "scale"):
            program, schedule = EXAMPLES / f"{name}.py", EXAMPLES / f"{name}.sch.py"
            with tempfile.TemporaryDirectory() as folder:
                log = Path(folder) / "log.tar"
                ran = command("lower", str(program), "--schedule", str(schedule), "--log", str(log),
                              "-q", "--no-cache")
                self.assertEqual(ran.returncode, 0, ran.stderr)
                lowered = proviso.parse(program).lower(schedule)
                self.assertEqual(lowered.text, ran.stdout)
                self.assertEqual(lowered.log.bytes, log.read_bytes(), name)

    def test_a_log_is_audited_and_a_changed_one_is_not_verified(self):
        lowered = proviso.parse(EXAMPLES / "row_sum.py").lower(EXAMPLES / "row_sum.sch.py")
        audit = lowered.log.audit(policy="E2+v")
        self.assertTrue(audit)
        self.assertIn("Theorem", audit.theorem)
        with tempfile.TemporaryDirectory() as folder:
            log = lowered.log.write(Path(folder) / "log")
            self.assertTrue(proviso.audit(log))
            run = log / "run.json"
            run.write_text(run.read_text().replace("row_sum", "row_sun"))
            self.assertFalse(proviso.audit(log))
            (Path(folder) / "mine").mkdir()
            (Path(folder) / "mine" / "file").touch()
            with self.assertRaises(proviso.Error):  # trap: it would delete what is there
                lowered.log.write(Path(folder) / "mine")

    def test_a_layout_is_converted_and_back(self):
        layout = 'sch.transform_layout("copy", "{}", lambda i, j: [i, j // 3, j % 3], pad_value=0)\n'
        lowered = proviso.parse(COPY).lower(layout.format("A") + layout.format("B"))
        self.assertIn("(4, 3, 3)", lowered.text)
        a = np.arange(32, dtype="int32").reshape(4, 8)
        for guarded in (True, False):
            # trap: cells of the padding in the place of data, if nobody unpacks
            np.testing.assert_array_equal(lowered.run(A=a, guarded=guarded)["B"], a)
        self.assertIn("pack", lowered.adapters)

    def test_a_run_leaves_what_it_is_given(self):
        twice = '@T.prim_func\ndef f(A: T.Buffer((3,), "int32")):\n    for i in range(3):\n        A[i] = A[i] * 2\n'
        a = np.array([1, 2, 3], "int32")
        self.assertEqual(proviso.parse(twice).lower().run(A=a)["A"].tolist(), [2, 4, 6])
        self.assertEqual(a.tolist(), [1, 2, 3])

    def test_arrays_in_any_order_of_memory(self):
        lowered = proviso.parse(COPY).lower()
        a = np.arange(64, dtype="int32").reshape(8, 8)
        np.testing.assert_array_equal(lowered.run(A=a.T[::2])["B"], a.T[::2])  # trap: strides
        a = np.asfortranarray(a[:4])
        a.setflags(write=False)
        np.testing.assert_array_equal(lowered.run({"A": a})["B"], a)

    def test_wrong_arrays_are_errors(self):
        lowered = proviso.parse(COPY).lower()
        good = np.zeros((4, 8), "int32")
        for arrays, why in (
            ({}, "no value for parameter 'A'"),
            ({"A": good.astype("int64")}, "cells of int64"),
            ({"A": good[:3]}, "shape"),
            ({"A": good.reshape(32)}, "shape"),
            ({"A": good, "C": good}, "no buffer parameter 'C'"),
            ({"A": good, "n": 3}, "no scalar parameter 'n'"),
            ({"A": 3}, ""),
            ({"A": np.float32(3)}, "no scalar parameter 'A'"),
            ({"A": np.array(3, "float32")}, "no scalar parameter 'A'"),
            ({"A": None}, "cells of object"),
            ({"A": [[1.0] * 8] * 4}, "cells of float64"),
            ({"A": good.astype(">i4")}, "cells of >i4"),
            ({"A": np.zeros((4, 8), [("a", "i4")])}, "cells of"),
            ({"A": np.broadcast_to(np.int32(1), (1 << 30, 1 << 30))}, "shape"),  # trap: copied first
            ({"A": np.ma.masked_array(good, good == 0)}, "masked"),  # trap: what is behind the mask
            ({"Ä": good}, "no buffer parameter 'Ä'"),
            ({3: good}, "is a text"),
            ([good], "no dictionary"),
        ):
            with self.assertRaisesRegex(proviso.Error, why):
                lowered.run(arrays)

    def test_cells_of_every_type(self):
        for name in ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
                     "bfloat16", "float32", "float64"):
            lowered = proviso.parse(COPY.replace("int32", name)).lower()
            a = (np.arange(32).reshape(4, 8) % 2).astype("uint16" if name == "bfloat16" else name)
            for guarded in (True, False):
                given = lowered.run(A=a, guarded=guarded)["B"]
                self.assertEqual(given.dtype, a.dtype)
                np.testing.assert_array_equal(given, a)
            raw = np.frombuffer(b"\0" + a.tobytes(), a.dtype, count=32, offset=1).reshape(4, 8)
            np.testing.assert_array_equal(lowered.run(A=raw)["B"], a)  # trap: where cells may not begin

    def test_sizes(self):
        text = COPY.replace("((4, 8)", "((n, 8)").replace("f(A", "f(n: T.int32, A").replace("grid(4", "grid(n")
        lowered = proviso.parse(text).lower()
        self.assertEqual(lowered.run(A=np.zeros((0, 8), "int32"))["B"].shape, (0, 8))
        self.assertEqual(lowered.run(n=np.int64(2), A=np.ones((2, 8), "int32"))["B"].sum(), 16)
        self.assertEqual(lowered.run(n=np.array(1), A=np.ones((1, 8), "int32"))["B"].sum(), 8)
        for n in (-1, 3, 1 << 40, 2.0, True, float("nan"), "2", None):
            with self.assertRaises(proviso.Error, msg=n):
                lowered.run(n=n, A=np.ones((2, 8), "int32"))

    def test_an_access_outside_of_its_buffer_is_an_error_and_no_crash(self):
        wild = '@T.prim_func\ndef f(n: T.int32, A: T.Buffer((4,), "int32")):\n    A[n] = 1\n'
        lowered = proviso.parse(wild).lower()
        self.assertEqual(lowered.run(n=3)["A"].tolist(), [0, 0, 0, 1])
        with self.assertRaisesRegex(proviso.Error, "stopped"):
            lowered.run(n=1 << 30)

    def test_the_shared_library_gives_the_same(self):
        lowered = proviso.parse(EXAMPLES / "row_sum.py").lower()
        a = np.arange(135, dtype="float32").reshape(5, 27)
        with tempfile.TemporaryDirectory() as folder:
            library = ctypes.CDLL(str(lowered.so(Path(folder) / "row_sum.so")))
            s = np.zeros(5, "float32")
            code = getattr(library, lowered.symbol)(ctypes.c_void_p(a.ctypes.data),
                                                    ctypes.c_void_p(s.ctypes.data))
        self.assertEqual(code, 0)
        np.testing.assert_array_equal(s, lowered.run(A=a)["S"])
        self.assertIn(lowered.symbol, lowered.header)

    def test_code_for_a_gpu(self):
        bound = 'i, j = sch.get_loops("copy")\nsch.bind(i, "blockIdx.x")\nsch.bind(j, "threadIdx.x")\n'
        lowered = proviso.parse(COPY).lower(bound, target="cuda:sm_90")
        self.assertIn("__global__", lowered.code)
        with self.assertRaisesRegex(proviso.Error, "lower for target"):
            lowered.run(A=np.zeros((4, 8), "int32"))
        with self.assertRaises(proviso.Error):
            proviso.parse(COPY).lower(target="gpu-of-mine")

    def test_numpy_is_wanted_by_run_alone(self):
        code = ("import sys\nsys.modules['numpy'] = None\nimport proviso\n"
                "p = proviso.parse('''%s''').lower()\n"
                "try:\n    p.run()\nexcept proviso.Error as e:\n    print(e.message)\n" % COPY)
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual(ran.stdout, "run needs NumPy, which is not installed\n", ran.stderr)


class Questions(unittest.TestCase):
    def test_answers_are_those_of_the_commands(self):
        given = ["--given", "x >= 0", "--given", "x < 100"]
        for python, arguments in (
            (proviso.prove("x * 2 >= x", given=["x >= 0", "x < 100"]), ["prove", "x * 2 >= x", *given]),
            (proviso.prove("x * 2 > x", given=["x >= 0", "x < 100"]), ["prove", "x * 2 > x", *given]),
            (proviso.simplify("(x * 8 + 3) // 4", given=["x >= 0", "x < 100"]),
             ["simplify", "(x * 8 + 3) // 4", *given]),
            (proviso.solve("bounds", "2 * x < n", variable="x"),
             ["solve", "bounds", "2 * x < n", "--for", "x"]),
        ):
            ran = command(*arguments, "--json")
            told = json.loads(ran.stdout)
            self.assertEqual(python.exit_code, ran.returncode)
            for of in (told, python.details):
                of.pop("ns", None)
            self.assertEqual({k: v for k, v in python.details.items() if k != "exit_code"}, told)

    def test_what_is_not_decided_is_no_pass(self):
        # trap: contradictory facts prove anything
        answer = proviso.prove("x == 3", given=["x > 5", "x < 2"])
        self.assertEqual((answer.verdict, bool(answer)), ("VACUOUS", False))

    def test_facts_are_a_list(self):
        with self.assertRaisesRegex(proviso.Error, "given is a text"):  # trap: a list of characters
            proviso.prove("x == x", given="x > 5")

    def test_a_comparison_is_that_of_the_command(self):
        other = COPY.replace("= A[vi, vj]", "= A[vi, vj] + 1")
        found = proviso.check(COPY, other)
        self.assertEqual((found.verdict, bool(found)), ("REFUTED", False))
        self.assertIn("A =", found.inputs)
        with self.assertRaises(proviso.Error):
            proviso.check(COPY, other, testz=3)

    def test_bounds_of_a_schedule(self):
        stages = EXAMPLES / "two_stages.py"
        ran = command("bounds", str(stages), "--json")
        found = proviso.bounds(stages)
        for key, value in json.loads(ran.stdout).items():
            self.assertEqual(found.details[key], value)
        with self.assertRaises(proviso.Error):
            proviso.bounds(stages, sizes={"n": 3})


if __name__ == "__main__":
    unittest.main()
