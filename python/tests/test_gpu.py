"""Programs on blocks and threads: the exported text of each stage computes what the source does.

There is no GPU here: the interpreter runs both. Run by hand, as test_export.py.
"""

import sys
import unittest
from pathlib import Path

import tvm
from tvm import s_tir, te

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proviso_tvm import NotExported, export  # noqa: E402
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


class Stages(tvm.ir.instrument.PassInstrument):
    __slots__ = ("__dict__",)

    def __init__(self):
        super().__init__()
        self.seen = []

    def run_after_pass(self, mod, info):
        functions = functions_of(mod)
        self.seen.append((info.name, functions, kernels_of(functions)))


class Gpu(unittest.TestCase):
    def stages(self, mod):
        found = Stages()
        with tvm.transform.PassContext(instruments=[found]):
            lower_for_gpu(mod)
        return found.seen

    def check(self, mod, until):
        source = mod["main"]
        inputs = random_inputs(source, 1)
        expected = run_proviso(source, copies(inputs))
        seen = set()
        for step, functions, kernels in self.stages(mod):
            if "main" not in functions:
                continue
            try:
                export(functions["main"], "main", kernels=kernels)
            except NotExported as no:
                self.assertIn(no.construct.split(" (")[0], ("tvm_storage_sync", "isnullptr",
                                             "launch of an unknown function"))
                continue
            got = run_proviso(functions["main"], copies(inputs), kernels=kernels)
            self.assertEqual(difference(expected, got), "", step)
            seen.add(step)
        self.assertIn(until, seen)

    def test_bound_loops(self):
        self.check(scheduled(), "tirx.MakePackedAPI")  # after SplitHostDevice

    def test_memory_of_a_thread(self):
        self.check(scheduled("local"), "tirx.MakePackedAPI")

    # Trap: memory that threads have in common, allocated within their loop, is another for each.
    def test_memory_of_a_block(self):
        with self.assertRaisesRegex(RuntimeError, "data race"):
            # Barriers come with ThreadSync: before it the threads race.
            self.check(scheduled("shared", again=True), "none")

    def test_a_thread_index_bound_again(self):
        text = export(scheduled("shared", again=True)["main"], "main").text
        self.assertEqual(text.count("T.thread_binding("), 3)  # blocks, and threads one by one

    def refused(self, mod):
        """What the stages are not exported for."""
        found = set()
        for _, functions, kernels in self.stages(mod):
            for function in functions.values():
                try:
                    export(function, "main", kernels=kernels)
                except NotExported as no:
                    found.add(no.construct)
        return found

    # Trap: a barrier that is passed over leaves races, or hides them.
    def test_a_barrier_has_no_statement(self):
        self.assertIn("tvm_storage_sync (threads of a block wait where a loop over them ends: there "
                      "is no barrier inside of one)", self.refused(scheduled("shared", again=True)))

    # Trap: the statement under the reducer is exported alone, as if each thread had its own sum.
    def test_a_reduction_of_threads_has_no_statement(self):
        self.assertIn("tvm_thread_allreduce (no thread sees a value of another one)",
                      self.refused(on_gpu(module(operators()["softmax"]))))

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
