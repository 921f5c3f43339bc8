"""Threads that meet: barriers, shuffles, reductions across threads. What the exported text computes
is what CUDA's threads would. There is no GPU here: each program says what it has to give.

Run by hand, as test_export.py.
"""

import sys
import unittest
from pathlib import Path

import numpy as np
import tvm
from tvm.script import tirx as T

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proviso_tvm import NotExported, export  # noqa: E402
from proviso_tvm.confirm import run_proviso  # noqa: E402
from proviso_tvm.gpu import lower_for_gpu  # noqa: E402
from proviso_tvm.passes import ValidatePasses, functions_of, kernels_of  # noqa: E402


@T.prim_func(s_tir=True)
def reverse(A: T.Buffer((24,), "float32"), B: T.Buffer((24,), "float32")):
    for b in T.thread_binding(3, thread="blockIdx.x"):
        tile = T.alloc_shared((8,), "float32")
        own = T.alloc_local((1,), "float32")
        with T.launch_thread("threadIdx.x", 8) as t:
            own[0] = A[b * 8 + t]
            for _ in range(2):
                tile[t] = own[0]
                T.evaluate(T.tvm_storage_sync("shared"))
                own[0] = tile[7 - t] + T.float32(1)
                T.evaluate(T.tvm_storage_sync("shared"))
            B[b * 8 + t] = own[0]


@T.prim_func(s_tir=True)
def no_barrier(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    with T.launch_thread("blockIdx.x", 1) as b:
        tile = T.alloc_shared((8,), "float32")
        with T.launch_thread("threadIdx.x", 8) as t:
            tile[t] = A[t]
            B[t + b] = tile[7 - t]


@T.prim_func(s_tir=True)
def divergent(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    with T.launch_thread("blockIdx.x", 1) as b:
        tile = T.alloc_shared((8,), "float32")
        with T.launch_thread("threadIdx.x", 8) as t:
            tile[t] = A[t]
            if t < 4:
                T.evaluate(T.tvm_storage_sync("shared"))
            B[t + b] = tile[7 - t]


@T.prim_func(s_tir=True)
def rotate(A: T.Buffer((8,), "float32")):
    with T.launch_thread("blockIdx.x", 1) as b:
        with T.launch_thread("threadIdx.x", 8) as t:
            x: T.let[T.float32] = A[t + b]
            y: T.let[T.int32] = (t + 1) % 8
            T.evaluate(T.tvm_storage_sync("shared"))
            A[y] = x


@T.prim_func(s_tir=True)
def shuffles(A: T.Buffer((48,), "float32"), D: T.Buffer((48,), "float32"),
             U: T.Buffer((48,), "float32"), X: T.Buffer((48,), "float32")):
    with T.launch_thread("blockIdx.x", 1) as b:
        got = T.alloc_local((1,), "float32")
        with T.launch_thread("threadIdx.y", 2) as y:
            x = T.launch_thread("threadIdx.x", 24)
            at: T.let[T.int32] = y * 24 + x + b
            got[0] = T.tvm_warp_shuffle_down(T.uint32(1), A[at], 3, 16, 32)
            D[at] = got[0]
            got[0] = T.tvm_warp_shuffle_up(T.uint32(1), A[at], 3, 16, 32)
            U[at] = got[0]
            got[0] = T.tvm_warp_shuffle(T.uint32(1), A[at], 2, 8, 32)
            X[at] = got[0]


@T.prim_func(s_tir=True)
def last_warp(A: T.Buffer((40,), "int32"), D: T.Buffer((40,), "int32")):
    with T.launch_thread("blockIdx.x", 1) as b:
        got = T.alloc_local((1,), "int32")
        with T.launch_thread("threadIdx.x", 40) as x:
            got[0] = T.tvm_warp_shuffle_down(T.uint32(1), A[x + b], 4, 32, 32)
            D[x] = got[0] + 1


@T.prim_func(s_tir=True)
def row_max(A: T.Buffer((3, 4, 8), "float32"), B: T.Buffer((3, 4, 8), "float32")):
    with T.launch_thread("blockIdx.x", 3) as b:
        got = T.alloc_local((1,), "float32")
        with T.launch_thread("threadIdx.y", 4) as y:
            x = T.launch_thread("threadIdx.x", 8)
            with T.attr(T.comm_reducer(lambda p, q: T.max(p, q), [T.float32(-100)]),
                        "reduce_scope", T.reinterpret("handle", T.uint64(0))):
                T.evaluate(T.tvm_thread_allreduce(T.uint32(1), A[b, y, x], x < 5, got[0], x))
            B[b, y, x] = got[0]


def text_of(function, **options):
    return export(function, "main", **options).text


def run(function, *arrays):
    return list(run_proviso(function, [a.copy() for a in arrays]).values())


class Threads(unittest.TestCase):
    # Traps: memory of a thread is one cell for all, or begins anew behind a barrier; the loop with
    # the barriers stands in that over the threads.
    def test_barriers_in_a_loop(self):
        a = np.arange(24, dtype="float32")
        _, b = run(reverse, a, np.zeros_like(a))
        np.testing.assert_array_equal(b, a + 2)

    # Trap: a barrier that the program does not have.
    def test_a_missing_barrier_is_a_race(self):
        a = np.zeros(8, "float32")
        text = text_of(no_barrier, to_come=())
        self.assertEqual(text.count('"threadIdx.x"'), 1)
        done = ValidatePasses().checker.compare(text, text.replace("7 - t", "t")).result()
        self.assertEqual(done["verdict"], "UNKNOWN")  # a race: nothing to refine
        self.assertIn("data race", str(done))
        # Before ThreadSync has run, threads wait between the two statements.
        told = export(no_barrier, "main")
        self.assertEqual(told.text.count('"threadIdx.x"'), 2)
        self.assertIn("barriers to come", told.relations[0])
        np.testing.assert_array_equal(run(no_barrier, a + np.arange(8, dtype="float32"), a)[1],
                                      np.arange(8)[::-1])

    # Trap: half of the threads do not come to the barrier.
    def test_a_barrier_that_some_threads_pass(self):
        with self.assertRaisesRegex(NotExported, "under a condition that differs"):
            export(divergent, "main")

    # Trap: a name for a value is computed again behind the barrier, from memory that has changed.
    def test_a_value_read_before_a_barrier(self):
        a = np.arange(8, dtype="float32")
        np.testing.assert_array_equal(run(rotate, a)[0], np.roll(a, 1))

    # Traps: lanes are numbered by x alone; a shuffle leaves its part of the warp.
    def test_shuffles(self):
        a = np.arange(48, dtype="float32")
        _, down, up, of = run(shuffles, a, a, a, a)
        lane = np.arange(48)
        np.testing.assert_array_equal(down, np.where(lane % 16 + 3 < 16, lane + 3, lane))
        np.testing.assert_array_equal(up, np.where(lane % 16 >= 3, lane - 3, lane))
        np.testing.assert_array_equal(of, lane // 8 * 8 + 2)

    # Trap: the value of a lane that does not exist is that of some other one.
    def test_a_lane_that_does_not_exist(self):
        a = np.arange(40, dtype="int32")
        with self.assertRaisesRegex(RuntimeError, "indet"):
            run(last_warp, a, a)

    # Traps: the reduction goes over both indices, or over the threads whose condition is false.
    def test_a_reduction_across_threads(self):
        a = np.random.default_rng(1).standard_normal((3, 4, 8)).astype("float32")
        _, b = run(row_max, a, a)
        np.testing.assert_array_equal(b, np.broadcast_to(a[:, :, :5].max(2)[:, :, None], b.shape))
        self.assertIn("in their order", export(row_max, "main").relations[0])

    # Trap: the kernel runs with the number of threads that it speaks of itself.
    def test_the_host_says_how_many_threads(self):
        ours, others = lowered(scale), lowered(scale_by_four)
        self.assertEqual({"tirx.SplitHostDevice", "tirx.LowerTVMBuiltin"} - set(ours.hosts), set())
        for step, host in ours.hosts.items():
            told = text_of(host, kernels=others.kernels)
            if host.attrs.get("calling_conv", 0) == 1:
                self.assertIn('T.thread_binding(T.int32(3), thread="blockIdx.x")', told, step)
                self.assertIn('T.thread_binding(T.int32(8), thread="threadIdx.x")', told, step)


@T.prim_func(s_tir=True)
def scale(A: T.Buffer((24,), "float32"), B: T.Buffer((24,), "float32")):
    for b in T.thread_binding(3, thread="blockIdx.x"):
        for t in T.thread_binding(8, thread="threadIdx.x"):
            with T.sblock("scale"):
                v = T.axis.spatial(24, b * 8 + t)
                B[v] = A[v] * T.float32(2)


@T.prim_func(s_tir=True)
def scale_by_four(A: T.Buffer((24,), "float32"), B: T.Buffer((24,), "float32")):
    for b in T.thread_binding(6, thread="blockIdx.x"):
        for t in T.thread_binding(4, thread="threadIdx.x"):
            with T.sblock("scale"):
                v = T.axis.spatial(24, b * 4 + t)
                B[v] = A[v] * T.float32(2)


def lowered(function):
    found = Last()
    with tvm.transform.PassContext(instruments=[found]):
        lower_for_gpu(tvm.IRModule({"main": function.with_attr("global_symbol", "main")}))
    return found


class Last(tvm.ir.instrument.PassInstrument):
    """The host's function after each pass, and the last kernels."""

    __slots__ = ("__dict__",)

    def __init__(self):
        super().__init__()
        self.kernels, self.hosts = {}, {}

    def run_after_pass(self, mod, info):
        functions = functions_of(mod)
        self.kernels.update(kernels_of(functions))
        if self.kernels and "main" in functions:
            self.hosts[info.name] = functions["main"]


if __name__ == "__main__":
    unittest.main()
