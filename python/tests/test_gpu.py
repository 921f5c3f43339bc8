"""Programs on blocks and threads: the exported text of each stage computes what the source does.

There is no GPU here: the interpreter runs both. Run by hand, as test_export.py.
"""

import sys
import unittest
from pathlib import Path

import tvm
from tvm import s_tir, te

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proviso_tvm import export  # noqa: E402
from proviso_tvm.confirm import copies, difference, random_inputs, run_proviso  # noqa: E402
from proviso_tvm.corpus import module, operators  # noqa: E402
from proviso_tvm.gpu import lower_for_gpu, on_gpu  # noqa: E402
from proviso_tvm.passes import ValidatePasses, functions_of, kernels_of  # noqa: E402


def scheduled(scope=None, again=False):
    A = te.placeholder((14, 9), "float32", name="A")
    k = te.reduce_axis((0, 9), name="k")
    B = te.compute((14,), lambda i: te.sum(A[i, k], axis=k), name="B")
    sch = s_tir.Schedule(tvm.IRModule({"main": te.create_prim_func([A, B])}))
    block = sch.get_sblock("B")
    i, _ = sch.get_loops(block)
    bx, tx = sch.split(i, [None, 4])
    sch.bind(bx, "blockIdx.x")
    sch.bind(tx, "threadIdx.x")
    if scope is not None:
        copy = sch.cache_read(block, 0, scope)
        sch.compute_at(copy, tx if scope == "local" else bx)
        if again:  # the threads of a block fetch together
            fused = sch.fuse(*sch.get_loops(copy)[-2:])
            _, thread = sch.split(fused, [None, 4])
            sch.bind(thread, "threadIdx.x")
    return sch.mod


def across_threads(combined, dtype):
    A = te.placeholder((5, 16), dtype, name="A")
    k = te.reduce_axis((0, 16), name="k")
    B = te.compute((5,), lambda i: combined(A[i, k], axis=k), name="B")
    sch = s_tir.Schedule(tvm.IRModule({"main": te.create_prim_func([A, B])}))
    i, r = sch.get_loops(sch.get_sblock("B"))
    sch.bind(i, "blockIdx.x")
    sch.bind(r, "threadIdx.x")
    return sch.mod


class Stages(tvm.ir.instrument.PassInstrument):
    __slots__ = ("__dict__",)

    def __init__(self):
        super().__init__()
        self.seen, self.kernels = [], {}

    def run_after_pass(self, mod, info):
        functions = functions_of(mod)
        self.kernels = {**self.kernels, **kernels_of(functions)}
        self.seen.append((info.name, functions, self.kernels))


class Gpu(unittest.TestCase):
    def stages(self, mod):
        found = Stages()
        with tvm.transform.PassContext(instruments=[found]):
            lower_for_gpu(mod)
        return found.seen

    def check(self, mod, until, rtol=0.0):
        source = mod["main"]
        inputs = random_inputs(source, 1)
        expected = run_proviso(source, copies(inputs))
        seen = set()
        for step, functions, kernels in self.stages(mod):
            if "main" not in functions:
                continue
            got = run_proviso(functions["main"], copies(inputs), kernels=kernels)
            self.assertEqual(difference(expected, got, rtol), "", step)
            seen.add(step)
        self.assertIn(until, seen)

    def test_bound_loops(self):
        self.check(scheduled(), "tirx.MakePackedAPI")  # after SplitHostDevice

    def test_memory_of_a_thread(self):
        self.check(scheduled("local"), "tirx.MakePackedAPI")

    # Traps: memory that threads have in common, allocated within their loop, is another for each;
    # a fetch of the threads of a block races with what reads it.
    def test_memory_of_a_block(self):
        self.check(scheduled("shared", again=True), "tirx.MakePackedAPI")

    def test_a_thread_index_bound_again(self):
        text = export(scheduled("shared", again=True)["main"], "main").text
        # blocks, and the same threads twice: they fetch, wait, and add up
        self.assertEqual(text.count('thread="blockIdx.x"'), 1)
        self.assertEqual(text.count('thread="threadIdx.x"'), 2)

    # Traps: a reduction across threads as the sum of each thread alone; its result in one of them.
    def test_reductions_of_threads(self):
        for name in ("softmax", "sum_1", "global_pool"):
            self.check(on_gpu(module(operators()[name])), "tirx.MakePackedAPI", 1e-5)

    # Trap: the pass that inserts barriers forgets one, and nobody sees it.
    def test_a_barrier_that_is_forgotten(self):
        check = ValidatePasses(only=["s_tir.ThreadSync"])
        with tvm.transform.PassContext(instruments=[check]):
            lower_for_gpu(scheduled("shared", again=True))
        pair, = check.pairs()
        self.assertIn(pair.verdict(), ("same text", "at its sizes"))
        self.assertIn("barriers to come", pair.relations[0])
        before, after = pair.objects
        self.assertIn("tvm_storage_sync", str(after))
        forgotten = export(before, "main", to_come=()).text
        answer = check.checker.compare(pair.before, forgotten).result()
        self.assertEqual(answer["verdict"], "REFUTED")
        self.assertIn("data race", answer["reason"])

    # Traps: a sum in another order is accepted, and nothing says so; or said of what needs no licence.
    def test_a_sum_in_another_order(self):
        for name, dtype, said in (("sum", "float32", True), ("max", "int32", False)):
            check = ValidatePasses(only=["s_tir.LowerThreadAllreduce"])
            with tvm.transform.PassContext(instruments=[check]):
                lower_for_gpu(across_threads(getattr(te, name), dtype))
            pair, = check.pairs()
            self.assertEqual(pair.verdict(), "at its sizes", name)
            self.assertEqual(any(r.startswith("reassociate") for r in pair.relations), said, name)
            strict = check.checker.compare(*pair.asked).result()
            self.assertEqual(strict["verdict"] == "REFUTED", said, name)

    def test_the_passes_are_validated(self):
        check = ValidatePasses()
        with tvm.transform.PassContext(instruments=[check]):
            lower_for_gpu(scheduled("local"))
        split = [p for p in check.pairs() if p.step == "tirx.SplitHostDevice"]
        self.assertEqual(len(split), 1)
        self.assertNotIn("REFUTED", {p.verdict() for p in check.pairs()})
        self.assertTrue(all(p.verdict() in ("same text", "same but checks", "at its sizes")
                            for p in split))


if __name__ == "__main__":
    unittest.main()
