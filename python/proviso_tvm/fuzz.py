"""Random schedules on random small programs: every accepted primitive and every pass a pair."""

import random

import tvm
from tvm import s_tir, te

from .passes import ValidatePasses, functions_of
from .schedules import ValidateSchedule

_PRIMITIVES = ("split", "fuse", "reorder", "parallel", "vectorize", "unroll", "cache_read",
               "cache_write", "compute_at", "reverse_compute_at", "compute_inline",
               "reverse_compute_inline", "decompose_reduction", "rfactor", "loop_partition",
               "transform_layout", "reindex", "pad_einsum", "set_scope", "storage_align",
               "fuse_reduction_epilogue", "add_unit_loop", "annotate", "vthread",
               "decompose_padding", "rolling_buffer", "reindex_cache_read",
               "transform_block_layout", "cache_inplace", "blockize")


def random_program(rng):
    """One to three stages over small, odd sizes."""
    kind = rng.choice(["chain", "stencil", "matmul", "row", "pad", "conv", "transpose"])
    dtype = rng.choice(["float32", "float32", "int32"])
    one = te.const(2, dtype)
    n, m, k = (rng.choice([3, 4, 5, 7, 8, 9, 12, 14]) for _ in range(3))

    def last(stage):
        choice = rng.choice(["none", "max", "add"])
        if choice == "none":
            return [stage]
        fixed = te.const(0, dtype)
        out = te.compute(stage.shape, lambda *i: te.max(stage(*i), fixed) if choice == "max"
                         else stage(*i) + one, name="D")
        return [out]

    if kind == "chain":
        A = te.placeholder((n, m), dtype, name="A")
        B = te.compute((n, m), lambda i, j: A[i, j] + one, name="B")
        C = te.compute((n, m), lambda i, j: B[i, j] * one, name="C")
        return [A] + last(C)
    if kind == "stencil":
        A = te.placeholder((n + 2,), dtype, name="A")
        B = te.compute((n + 2,), lambda i: A[i] * one, name="B")
        C = te.compute((n,), lambda i: B[i] + B[i + 1] + B[i + 2], name="C")
        return [A] + last(C)
    if kind == "matmul":
        A = te.placeholder((n, k), dtype, name="A")
        B = te.placeholder((k, m), dtype, name="B")
        r = te.reduce_axis((0, k), name="k")
        C = te.compute((n, m), lambda i, j: te.sum(A[i, r] * B[r, j], axis=r), name="C")
        return [A, B] + last(C)
    if kind == "row":
        A = te.placeholder((n, k), dtype, name="A")
        r = te.reduce_axis((0, k), name="k")
        reduce = rng.choice([te.sum, te.max])
        C = te.compute((n,), lambda i: reduce(A[i, r], axis=r), name="C")
        return [A] + last(C)
    if kind == "pad":
        A = te.placeholder((n,), dtype, name="A")
        B = te.compute((n + 3,), lambda i: tvm.tirx.if_then_else(
            tvm.tirx.all(i >= 1, i < n + 1), A[i - 1], te.const(0, dtype)), name="B")
        C = te.compute((n + 1,), lambda i: B[i] + B[i + 2], name="C")
        return [A] + last(C)
    if kind == "conv":
        A = te.placeholder((n + 2, m + 2), dtype, name="A")
        W = te.placeholder((3, 3), dtype, name="W")
        r, s = te.reduce_axis((0, 3), name="r"), te.reduce_axis((0, 3), name="s")
        C = te.compute((n, m), lambda i, j: te.sum(A[i + r, j + s] * W[r, s], axis=[r, s]),
                       name="C")
        return [A, W] + last(C)
    A = te.placeholder((n, m), dtype, name="A")
    B = te.compute((m, n), lambda i, j: A[j, i] + one, name="B")
    C = te.compute((m, n), lambda i, j: B[i, j] * B[i, j], name="C")
    return [A] + last(C)


def one_primitive(rng, sch):
    """Calls one primitive with random arguments; TVM refuses many."""
    blocks = list(sch.get_child_blocks(sch.get_sblock("root")))
    block, other = rng.choice(blocks), rng.choice(blocks)
    loops = list(sch.get_loops(block))
    others = list(sch.get_loops(other))
    name = rng.choice(_PRIMITIVES)
    loop = rng.choice(loops) if loops else None
    factor = rng.choice([2, 3, 4])
    if name == "split":
        sch.split(loop, rng.choice([[None, factor], [factor, None]]))
    elif name == "fuse":
        at = rng.randrange(len(loops))
        sch.fuse(*loops[at:at + 2])
    elif name == "reorder":
        rng.shuffle(loops)
        sch.reorder(*loops)
    elif name in ("parallel", "vectorize", "unroll", "decompose_padding"):
        if name == "decompose_padding":
            sch.decompose_padding(block, loop)
        else:
            getattr(sch, name)(loop)
    elif name in ("cache_read", "cache_write"):
        getattr(sch, name)(block, rng.randrange(2), rng.choice(["local", "global"]))
    elif name in ("compute_at", "reverse_compute_at"):
        getattr(sch, name)(block, rng.choice(others))
    elif name in ("compute_inline", "reverse_compute_inline", "cache_inplace"):
        if name == "cache_inplace":
            sch.cache_inplace(block, 0, "local")
        else:
            getattr(sch, name)(block)
    elif name == "decompose_reduction":
        sch.decompose_reduction(block, loop)
    elif name == "rfactor":
        sch.rfactor(loop, rng.randrange(2))
    elif name == "loop_partition":
        sch.loop_partition(loop, [factor, None])
    elif name == "transform_layout":
        maps = [lambda i: [i // factor, i % factor], lambda i, j: [j, i],
                lambda i, j: [i, j // factor, j % factor]]
        sch.transform_layout(block, (rng.choice(["read", "write"]), 0), rng.choice(maps))
    elif name == "transform_block_layout":
        sch.transform_block_layout(block, rng.choice([lambda i: [i], lambda i, j: [j, i],
                                                      lambda i, j: [i * 16 + j]]))
    elif name in ("reindex",):
        sch.reindex(block, (rng.choice(["read", "write"]), 0))
    elif name == "reindex_cache_read":
        sch.reindex_cache_read(block, 0, "local", rng.choice([lambda i: [i], lambda i, j: [j, i],
                                                              lambda i, j: [i, j]]))
    elif name == "pad_einsum":
        sch.pad_einsum(block, [factor] * len(sch.get(block).iter_vars))
    elif name == "set_scope":
        sch.set_scope(block, 0, "local")
    elif name == "storage_align":
        sch.storage_align(block, 0, 0, 8, 1)
    elif name == "fuse_reduction_epilogue":
        sch.fuse_reduction_epilogue(block, other)
    elif name == "add_unit_loop":
        sch.add_unit_loop(block)
    elif name == "annotate":
        sch.annotate(loop, *rng.choice([("pragma_auto_unroll_max_step", 16),
                                        ("pragma_unroll_explicit", 1),
                                        ("pragma_loop_partition_hint", 1)]))
    elif name == "vthread":
        sch.bind(loop, "vthread.x")
    elif name == "rolling_buffer":
        sch.rolling_buffer(block, 0)
    elif name == "blockize":
        sch.blockize(loop)


def one_case(seed, checker):
    """The pairs of a random schedule and its compilation; the functions that were compiled."""
    rng = random.Random(seed)
    program = f"case {seed}"
    mod = tvm.IRModule({"main": te.create_prim_func(random_program(rng))})
    sch = ValidateSchedule(s_tir.Schedule(mod), checker=checker, program=program, sizes="real")
    steps = rng.randrange(2, 6)
    for _ in range(40):
        if steps == 0:
            break
        try:
            one_primitive(rng, sch)
            steps -= 1
        except Exception:  # refused by TVM, or arguments that do not fit: no pair
            continue
    compiled, wrong_text = functions_of(sch.mod), ""
    instrument = ValidatePasses(checker=checker, program=program, origin=sch.proviso_origin())
    try:
        with tvm.transform.PassContext(instruments=[instrument]):
            tvm.compile(sch.mod, target="llvm")
    except Exception as wrong:
        wrong_text = f"{type(wrong).__name__}: {str(wrong).strip()[-160:]}"
    return sch._pairs + instrument._pairs, compiled, wrong_text
