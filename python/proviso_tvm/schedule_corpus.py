"""Programs for a campaign: small programs with schedules by hand."""

import tvm
from tvm import s_tir, te


def _matmul(m=6, n=7, k=5):
    A = te.placeholder((m, k), "float32", name="A")
    B = te.placeholder((k, n), "float32", name="B")
    r = te.reduce_axis((0, k), name="k")
    C = te.compute((m, n), lambda i, j: te.sum(A[i, r] * B[r, j], axis=r), name="C")
    return tvm.IRModule({"main": te.create_prim_func([A, B, C])})


def _two_stages(n=14):
    A = te.placeholder((n,), "float32", name="A")
    B = te.compute((n,), lambda i: A[i] + te.const(1.0, "float32"), name="B")
    C = te.compute((n,), lambda i: B[i] * te.const(2.0, "float32"), name="C")
    return tvm.IRModule({"main": te.create_prim_func([A, C])})


def _stencil(n=12):
    A = te.placeholder((n + 2,), "float32", name="A")
    B = te.compute((n + 2,), lambda i: A[i] * te.const(3.0, "float32"), name="B")
    C = te.compute((n,), lambda i: B[i] + B[i + 1] + B[i + 2], name="C")
    return tvm.IRModule({"main": te.create_prim_func([A, C])})


def _scheduled(build, schedule):
    def make():
        sch = s_tir.Schedule(build())
        schedule(sch)
        return sch.mod
    return make


def _block(sch, name):
    return sch.get_sblock(name)


def _tile(sch):
    i, j, _ = sch.get_loops(_block(sch, "C"))
    io, ii = sch.split(i, [None, 4])
    jo, ji = sch.split(j, [None, 4])
    sch.reorder(io, jo, ii, ji)


def _tile_vectorize(sch):
    i, j, k = sch.get_loops(_block(sch, "C"))
    _, ji = sch.split(j, [None, 4])
    sch.reorder(k, ji)
    sch.vectorize(ji)


def _parallel_unroll(sch):
    i, j, k = sch.get_loops(_block(sch, "C"))
    sch.parallel(i)
    sch.unroll(k)


def _decompose(sch):
    block = _block(sch, "C")
    i, j, k = sch.get_loops(block)
    sch.reorder(i, k, j)
    sch.decompose_reduction(block, sch.get_loops(block)[1])


def _rfactor(sch):
    _, _, k = sch.get_loops(_block(sch, "C"))
    sch.rfactor(k, 0)


def _cache(sch):
    block = _block(sch, "C")
    sch.cache_read(block, 0, "local")
    sch.cache_write(block, 0, "local")


def _fuse(sch):
    i, j, _ = sch.get_loops(_block(sch, "C"))
    fused = sch.fuse(i, j)
    sch.split(fused, [None, 8])


def _compute_at(sch):
    (i,) = sch.get_loops(_block(sch, "C"))
    io, _ = sch.split(i, [None, 4])
    sch.compute_at(_block(sch, "B"), io)


def _compute_at_vectorized(sch):
    (i,) = sch.get_loops(_block(sch, "C"))
    _, ii = sch.split(i, [None, 4])
    sch.compute_at(_block(sch, "B"), ii)
    sch.vectorize(ii)


def _inline(sch):
    sch.compute_inline(_block(sch, "B"))


def _reverse_inline(sch):
    sch.reverse_compute_inline(_block(sch, "C"))


def _reverse_compute_at(sch):
    (i,) = sch.get_loops(_block(sch, "B"))
    io, _ = sch.split(i, [None, 4])
    sch.reverse_compute_at(_block(sch, "C"), io)


def _vthread(sch):
    (i,) = sch.get_loops(_block(sch, "C"))
    io, ii = sch.split(i, [2, None])
    sch.bind(io, "vthread")


def _partition(sch):
    (i,) = sch.get_loops(_block(sch, "C"))
    sch.annotate(i, "pragma_loop_partition_hint", 1)


def _unroll_max(sch):
    (i,) = sch.get_loops(_block(sch, "C"))
    io, ii = sch.split(i, [None, 4])
    sch.annotate(io, "pragma_auto_unroll_max_step", 16)
    sch.annotate(io, "pragma_unroll_explicit", 1)


def _layout(sch):
    sch.transform_layout(_block(sch, "B"), ("write", 0), lambda i: [i // 2, i % 2])


def _storage_align(sch):
    sch.storage_align(_block(sch, "B"), 0, 0, 8, 1)


def _double_buffer(sch):
    (i,) = sch.get_loops(_block(sch, "C"))
    io, _ = sch.split(i, [None, 4])
    sch.compute_at(_block(sch, "B"), io)
    sch.annotate(_block(sch, "B"), "double_buffer_scope", 0)


def _pipeline(sch):
    (i,) = sch.get_loops(_block(sch, "C"))
    io, _ = sch.split(i, [None, 2])
    sch.compute_at(_block(sch, "B"), io)
    sch.annotate(io, "software_pipeline_stage", [0, 1])
    sch.annotate(io, "software_pipeline_order", [0, 1])


def hand_schedules():
    """name -> a function that gives the module."""
    out = {}
    for schedule in (_tile, _tile_vectorize, _parallel_unroll, _decompose, _rfactor, _cache,
                     _fuse):
        out["matmul" + schedule.__name__] = _scheduled(_matmul, schedule)
    for schedule in (_compute_at, _compute_at_vectorized, _inline, _reverse_inline,
                     _reverse_compute_at, _vthread, _partition, _unroll_max, _layout,
                     _storage_align, _double_buffer, _pipeline):
        out["stages" + schedule.__name__] = _scheduled(_two_stages, schedule)
    for schedule in (_compute_at, _inline, _compute_at_vectorized, _layout, _double_buffer,
                     _unroll_max):
        out["stencil" + schedule.__name__] = _scheduled(_stencil, schedule)
    return out
